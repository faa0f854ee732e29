#!/bin/bash
# Builds the programs of Gomocup that the figures name, for Linux: build.sh FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"

at() { # repository, commit, folder
    [ -d "$3" ] || git clone -q "https://github.com/$1" "$3"
    git -C "$3" checkout -q -f "$2"
}
at jinjiebang/AIWine fe47eaa7cce7c9314f516231bd0de6225890be44 wine
at gomoku/Carbon-Gomoku 75a8143219094c6dcd5c309692c80a34696c1b22 carbon
at plastovicka/Piskvork 2c3296514a3735cad83eed8a3134f51324f962ca pela

out=$PWD
posix=(-DNDEBUG -w -O2 -std=gnu++17 -fpermissive -I "$here")
g++ "${posix[@]}" -msse4.2 -include wall_clock.h wine/src/*.cpp -o pbrain-wine2021

cd "$out/carbon"
# A long has 32 bits on Windows.
sed -i 's/unsigned long /unsigned int /' OXTypes.h
g++ "${posix[@]}" -std=gnu++11 -DNOMINMAX -include windows.h AICarbon.cpp AICarbonMove.cpp AIwrapper.cpp Random.cpp pisqpipe.cpp \
    -pthread -o "$out/pbrain-carbon"

cd "$out/pela/source/pbrain"
sed -i '/#include/s|\\|/|g' board.h
g++ "${posix[@]}" -std=gnu++11 -include string.h alfabeta.cpp piskcomp.cpp pisktur.cpp ../skelet_CPP/pisqpipe.cpp -pthread \
    -o "$out/pbrain-pela"
