#ifndef BOXJOINT_EDIT_SHIM_H
#define BOXJOINT_EDIT_SHIM_H

#include <stdio.h>
#include <stdlib.h>
#include <editline/readline.h>

// The variables of the library, which Swift refuses as shared state.

/// Sets the function that completes the word at the cursor.
static inline void boxjoint_edit_complete(rl_completion_func_t *complete, const char *breaks) {
  rl_attempted_completion_function = complete;
  rl_completer_word_break_characters = (char *)breaks;
}

/// The line up to the cursor; valid until the next key.
static inline const char *boxjoint_edit_line(int *length) {
  *length = rl_point;
  return rl_line_buffer;
}

/// Keeps the library from completing names of files, and from putting a blank behind a word.
static inline void boxjoint_edit_words_only(void) {
  rl_attempted_completion_over = 1;
  rl_completion_append_character = 0;
}

#endif
