/* Preloaded: runs a program's main function on another thread than the process's first, which waits for it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>

typedef int (*main_type)(int, char **, char **);
typedef int (*start_type)(main_type, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

static struct {
    main_type main;
    int argc;
    char **argv, **environment;
    int status;
} program;

static void *run(void *unused) {
    program.status = program.main(program.argc, program.argv, program.environment);
    return unused;
}

static int instead(int argc, char **argv, char **environment) {
    pthread_t thread;
    program.argc = argc;
    program.argv = argv;
    program.environment = environment;
    if (pthread_create(&thread, NULL, run, NULL) != 0 || pthread_join(thread, NULL) != 0)
        return 99;
    return program.status;
}

int __libc_start_main(main_type main, int argc, char **argv, void (*init)(void), void (*fini)(void), void (*rtld_fini)(void), void *stack_end) {
    start_type start = (start_type)dlsym(RTLD_NEXT, "__libc_start_main");
    program.main = main;
    return start(instead, argc, argv, init, fini, rtld_fini, stack_end);
}
