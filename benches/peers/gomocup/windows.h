// What programs of Gomocup that were written for Windows need of <windows.h>, on POSIX: ticks, events, one thread.
#ifndef BESTMOVE_PEERS_WINDOWS_H
#define BESTMOVE_PEERS_WINDOWS_H
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <strings.h>
#include <time.h>

typedef uint32_t DWORD;
typedef uint64_t DWORD64;
typedef void *LPVOID;
#define WINAPI
#define INFINITE 0xffffffffu
#define STD_INPUT_HANDLE 0
#define FALSE 0
#define TRUE 1
#define _strnicmp strncasecmp
#define _stricmp strcasecmp
#define _atoi64 atoll
#define UInt32x32To64(a, b) ((uint64_t)(uint32_t)(a) * (uint32_t)(b))

struct Event { pthread_mutex_t m; pthread_cond_t c; bool manual, set; };
typedef Event *HANDLE;

static inline DWORD GetTickCount() {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (DWORD)(t.tv_sec * 1000ull + t.tv_nsec / 1000000);
}
static inline HANDLE CreateEvent(void *, int manual, int initial, void *) {
  HANDLE e = (HANDLE)calloc(1, sizeof(Event));
  pthread_mutex_init(&e->m, 0);
  pthread_cond_init(&e->c, 0);
  e->manual = manual != 0;
  e->set = initial != 0;
  return e;
}
static inline int SetEvent(HANDLE e) {
  pthread_mutex_lock(&e->m);
  e->set = true;
  pthread_cond_broadcast(&e->c);
  pthread_mutex_unlock(&e->m);
  return 1;
}
static inline int ResetEvent(HANDLE e) {
  pthread_mutex_lock(&e->m);
  e->set = false;
  pthread_mutex_unlock(&e->m);
  return 1;
}
static inline DWORD WaitForSingleObject(HANDLE e, DWORD) { // INFINITE only
  pthread_mutex_lock(&e->m);
  while (!e->set) pthread_cond_wait(&e->c, &e->m);
  if (!e->manual) e->set = false;
  pthread_mutex_unlock(&e->m);
  return 0;
}
struct Start { DWORD (*fn)(LPVOID); LPVOID arg; };
static inline void *run_thread(void *p) {
  Start s = *(Start *)p;
  free(p);
  s.fn(s.arg);
  return 0;
}
static inline HANDLE CreateThread(void *, size_t, DWORD (*fn)(LPVOID), LPVOID arg, DWORD, DWORD *) {
  Start *s = (Start *)malloc(sizeof *s);
  s->fn = fn;
  s->arg = arg;
  pthread_attr_t a;
  pthread_attr_init(&a);
  pthread_attr_setstacksize(&a, 64 << 20);
  pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
  pthread_t t;
  pthread_create(&t, &a, run_thread, s);
  return 0;
}
static inline HANDLE GetStdHandle(int) { return 0; }
static inline int GetConsoleMode(HANDLE, DWORD *) { return 0; }

// MSVC's <stdlib.h>/<windef.h> macros, as templates so the C++ headers survive.
template <class A, class B> static inline auto __min(A a, B b) -> decltype(a + b) { return a < b ? a : b; }
template <class A, class B> static inline auto __max(A a, B b) -> decltype(a + b) { return a > b ? a : b; }
#ifndef NOMINMAX
template <class A, class B> static inline auto min(A a, B b) -> decltype(a + b) { return a < b ? a : b; }
template <class A, class B> static inline auto max(A a, B b) -> decltype(a + b) { return a > b ? a : b; }
#endif
#endif
