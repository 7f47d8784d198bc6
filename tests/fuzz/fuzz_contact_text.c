/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Any text read as a contact problem: it is refused with its line, or read; what is read and can be written
 * comes back the same to the bit. Bytes become texts in three ways: as they are, as words of the format in
 * any order, and as a problem whose text they damage. */
#include "nsdyn/contact.h"
#include "support/any_contact.h"
#include "target.h"

enum { MOST = 1 << 22 }; /* bytes of memory that an input may ask for */

static void check_refusal(nsdyn_contact *s, nsdyn_status status)
{
  nsdyn_detail detail;
  REQUIRE(nsdyn_detail_init(&detail, sizeof detail) == NSDYN_OK);
  REQUIRE(status == NSDYN_ERR_SYNTAX || status == NSDYN_ERR_TOO_LARGE || status == NSDYN_ERR_ARGUMENT ||
          status == NSDYN_ERR_NOT_FINITE);
  REQUIRE(nsdyn_contact_detail(s, &detail) == NSDYN_OK);
  REQUIRE(detail.kind == NSDYN_DETAIL_LINE && detail.index >= 1);
  REQUIRE(strncmp(nsdyn_contact_message(s), "line ", 5) == 0);
}

/* From a copy of just that length, into memory of just that size; NULL where it is refused. */
static void *read_text(nsdyn_contact *s, const void *data, size_t length, nsdyn_contact_problem *p)
{
  char *text = malloc(length ? length : 1);
  REQUIRE(text);
  if (length) {
    memcpy(text, data, length);
  }
  size_t size = 0;
  void *memory = NULL;
  REQUIRE(nsdyn_contact_problem_init(p, sizeof *p) == NSDYN_OK);
  nsdyn_status status = nsdyn_contact_read_text(s, text, length, NULL, NULL, &size);
  if (status == NSDYN_OK && size <= MOST) {
    memory = malloc(size);
    REQUIRE(memory);
    status = nsdyn_contact_read_text(s, text, length, p, memory, &size);
  }
  free(text);
  if (status) {
    check_refusal(s, status);
    free(memory);
    return NULL;
  }
  return memory;
}

static void read_and_write(nsdyn_contact *s, const void *data, size_t length)
{
  nsdyn_contact_problem p, again;
  void *memory = read_text(s, data, length, &p);
  const size_t size = memory ? nsdyn_contact_write_text(&p, NULL, 0) : 0;
  if (size > 0) {
    char *text = malloc(size);
    REQUIRE(text && nsdyn_contact_write_text(&p, text, size) == size);
    void *second = read_text(s, text, size - 1, &again);
    REQUIRE(second && same_contact_problems(&p, &again));
    free(second);
    free(text);
  }
  free(memory);
}

/* Words of the format, one for each byte: nearly a problem. */
static void read_words(nsdyn_contact *s, reader from)
{
  static const char *const words[] = {"contacts 1 bilateral 0 rows 2 laws 1 law",
                                      "contacts 1 bilateral 1 rows 4 laws 2",
                                      "law",
                                      "law",
                                      "kind bilateral",
                                      "friction bound",
                                      "friction brake",
                                      "friction none",
                                      "tangents 2",
                                      "shape polygon",
                                      "sides 6",
                                      "mu 0.5",
                                      "mu_static 0.75",
                                      "bound 2",
                                      "aspect 2",
                                      "angle -1",
                                      "eps_n 0.5",
                                      "reversal 1",
                                      "law_of 0",
                                      "law_of 1",
                                      "G 1 0 0 1",
                                      "blocks 2 0 0 1 0 0 0 2 0 0 0 3 1 1 4",
                                      "blocks 1",
                                      "c 1 2",
                                      "c 1 2 3 4",
                                      "mu 0.25",
                                      "slip 0 1",
                                      "start 1 2",
                                      "dt 1",
                                      "0",
                                      "1",
                                      "-0",
                                      "1e-300",
                                      "#",
                                      "\n",
                                      "nan"};
  char text[2048] = "";
  size_t length = 0;
  while (from.left > 0 && length + 64 < sizeof text) {
    const char *word = words[read_below(&from, (int)(sizeof words / sizeof *words))];
    length += (size_t)snprintf(text + length, sizeof text - length, "%s ", word);
  }
  read_and_write(s, text, length);
}

/* A whole problem with a few bytes changed, or cut short. */
static void read_damaged(nsdyn_contact *s, reader from)
{
  char text[] = "contacts 3 bilateral 1 rows 7 laws 2\ndt 0.25\nlaw kind bilateral friction static mu 0.25 "
                "mu_static 0.5\nlaw shape polygon sides 6 angle 0.5 aspect 2 tangents 2 friction brake bound "
                "3\nlaw_of 1 0 0\nblocks 6\n0 0 1 0 0 0 2 0 0 0 3\n1 0 1 2 3 4 5 6\n0 1 1 2 3 4 5 6\n"
                "1 1 5 0 0 5\n2 2 6 0 0 6\n3 3 7\nc 1 2 3 4 5 6 7\nmu 0.25 0.5 0.75\nslip 0 1 -1\n"
                "start 7 6 5 4 3 2 1\n";
  text[0] = 'c';
  size_t length = strlen(text);
  for (int k = read_below(&from, 4); k > 0; k--) {
    uint8_t place[2];
    read_bytes(&from, place, sizeof place);
    read_bytes(&from, text + (256u * place[0] + place[1]) % length, 1);
  }
  length -= read_below(&from, 4) ? 0 : (size_t)read_below(&from, 200) % length;
  read_and_write(s, text, length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  nsdyn_contact *s;
  const reader from = {data, size};
  REQUIRE(nsdyn_contact_new(NULL, NULL, &s, NULL) == NSDYN_OK);
  read_and_write(s, data, size);
  read_words(s, from);
  read_damaged(s, from);
  nsdyn_contact_free(s);
  return 0;
}
