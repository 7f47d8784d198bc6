/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Texts of a picture: escaped for XML, with lowered and raised parts. */
#include <string.h>

#include "plot_parts.h"

/* Bytes of the UTF-8 character at `text`, or 0 where it is none that XML allows. */
static int utf8_length(const char *text)
{
  const unsigned char *t = (const unsigned char *)text;
  const int length = t[0] < 0x80   ? 1
                     : t[0] < 0xc2 ? 0
                     : t[0] < 0xe0 ? 2
                     : t[0] < 0xf0 ? 3
                     : t[0] < 0xf5 ? 4
                                   : 0;
  for (int i = 1; i < length; i++) {
    if ((t[i] & 0xc0) != 0x80) {
      return 0;
    }
  }
  if (length == 1) {
    return t[0] >= 0x20 && t[0] != 0x7f;
  }
  if (length == 3 && ((t[0] == 0xe0 && t[1] < 0xa0) || (t[0] == 0xed && t[1] >= 0xa0) ||
                      (t[0] == 0xef && t[1] == 0xbf && t[2] >= 0xbe))) {
    return 0;
  }
  return length == 4 && ((t[0] == 0xf0 && t[1] < 0x90) || (t[0] == 0xf4 && t[1] >= 0x90)) ? 0 : length;
}

/* Writes the character at `text` and returns its length in bytes. */
static int write_character(FILE *file, const char *text)
{
  const int length = utf8_length(text);
  switch (length == 1 ? *text : 0) {
  case '&':
    fputs("&amp;", file);
    return 1;
  case '<':
    fputs("&lt;", file);
    return 1;
  case '>':
    fputs("&gt;", file);
    return 1;
  case '"':
    fputs("&quot;", file);
    return 1;
  default:
    break;
  }
  if (length == 0) {
    fputs("\xef\xbf\xbd", file);
    return 1;
  }
  fwrite(text, 1, (size_t)length, file);
  return length;
}

void text_escape(FILE *file, const char *text)
{
  while (*text) {
    text += write_character(file, text);
  }
}

/* The part that a `_` or `^` in front of `text` moves: its first byte, its end, and where to go on. */
static const char *moved_part(const char *text, const char **end)
{
  const char *close = *text == '{' ? strchr(text, '}') : NULL;
  if (close) {
    *end = close;
    return text + 1;
  }
  const int length = utf8_length(text);
  *end = text + (length > 0 ? length : *text != '\0');
  return text;
}

/* Writes a lowered or raised part. `shift` is how far below its line the text stands by now, in the size of
 * the line. */
static const char *write_moved(FILE *file, const char *text, double to, double *shift)
{
  const char *end, *at = moved_part(text, &end);
  const char *const after = *text == '{' && at != text ? end + 1 : end;
  fprintf(file, "<tspan dy=\"%.3fem\" font-size=\"75%%\">", (to - *shift) / 0.75);
  while (at < end) {
    at += write_character(file, at);
  }
  fputs("</tspan>", file);
  *shift = to;
  return after;
}

/* Writes what stands on the line, up to the next moved part. */
static const char *write_level(FILE *file, const char *text, double *shift)
{
  const int back = *shift != 0.0;
  if (back) {
    fprintf(file, "<tspan dy=\"%.3fem\">", -*shift);
    *shift = 0.0;
  }
  while (*text && !((*text == '_' || *text == '^') && text[1])) {
    text += *text == '\\' && text[1] ? 1 : 0;
    text += write_character(file, text);
  }
  fputs(back ? "</tspan>" : "", file);
  return text;
}

void text_write(FILE *file, double x, double y, int anchor, const char *more, const char *text)
{
  double shift = 0.0;
  fprintf(file, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\" xml:space=\"preserve\"%s>", x, y,
          anchor < 0   ? "start"
          : anchor > 0 ? "end"
                       : "middle",
          more);
  while (*text) {
    const int moved = (*text == '_' || *text == '^') && text[1];
    text = moved ? write_moved(file, text + 1, *text == '_' ? 0.21 : -0.32, &shift)
                 : write_level(file, text, &shift);
  }
  fputs("</text>\n", file);
}

double text_width(const char *text)
{
  double width = 0.0, size = 1.0;
  while (*text) {
    if ((*text == '_' || *text == '^') && text[1]) {
      size = 0.75;
      text++;
      continue;
    }
    if (*text == '{' || *text == '}' || *text == '\\') {
      text++;
      continue;
    }
    const int length = utf8_length(text);
    width += (strchr("ijlt.,:;|()[] 'fI", *text) ? 0.36 : 0.6) * size;
    size = 1.0;
    text += length > 0 ? length : 1;
  }
  return FONT_SIZE * width;
}
