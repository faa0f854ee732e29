//! Puts the built page (`web/dist`) into the program, compressed.

fn main() {
    memory_serve::load_directory("web/dist");
}
