/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/saved.h"

#include "suite.h"

static const nsdyn_system_def def = {.size = sizeof def, .nq = 3, .nu = 2, .ncontacts = 5, .nconstraints = 1};
static const uint64_t magic = UINT64_C(0x0123456789abcdef);

typedef struct saved_head {
  nsd_saved common;
  double t;
} saved_head;

enum { ARRAY = 24, BYTES = sizeof(saved_head) + ARRAY + 8 };

static void save(unsigned char *buffer)
{
  const saved_head head = {.common = nsd_saved_of(&def, magic, BYTES), .t = 0.5};
  unsigned char *to = nsd_put_bytes(buffer, &head, sizeof head);
  memset(to, 0x5a, ARRAY);
  nsd_saved_seal(buffer, BYTES);
}

static nsdyn_status check(const unsigned char *buffer, size_t size, nsd_fault *fault)
{
  return nsd_saved_check(&def, magic, buffer, size, sizeof(saved_head), "restore", fault);
}

START_TEST(what_was_sealed_is_whole)
{
  unsigned char buffer[BYTES];
  save(buffer);
  ck_assert_int_eq(check(buffer, BYTES, NULL), NSDYN_OK);
}
END_TEST

START_TEST(each_changed_byte_is_noticed)
{
  unsigned char buffer[BYTES];
  for (size_t i = 0; i < BYTES; i++) {
    nsd_fault fault;
    save(buffer);
    buffer[i] ^= 1u;
    ck_assert_msg(check(buffer, BYTES, &fault) == NSDYN_ERR_ARGUMENT, "byte %zu", i);
    ck_assert_int_eq(fault.detail.kind, NSDYN_DETAIL_ARGUMENT);
    ck_assert_int_eq(fault.detail.index, 1);
  }
}
END_TEST

START_TEST(each_other_size_is_noticed)
{
  unsigned char buffer[BYTES + 8];
  for (size_t size = 0; size < sizeof buffer; size++) {
    memset(buffer, 0, sizeof buffer);
    save(buffer);
    ck_assert_msg((check(buffer, size, NULL) == NSDYN_OK) == (size == BYTES), "%zu bytes", size);
  }
}
END_TEST

START_TEST(the_message_says_why)
{
  unsigned char buffer[BYTES];
  nsd_fault fault;
  save(buffer);
  check(NULL, BYTES, &fault);
  ck_assert_str_eq(fault.message, "restore: buffer is NULL");
  check(buffer, sizeof(saved_head), &fault);
  ck_assert_str_eq(fault.message, "restore: there are too few bytes");
  check(buffer, BYTES - 1, &fault);
  ck_assert_str_eq(fault.message, "restore: the state is cut short, or longer than it says");
  nsdyn_system_def other = def;
  other.nu++;
  nsd_saved_check(&other, magic, buffer, BYTES, sizeof(saved_head), "restore", &fault);
  ck_assert_str_eq(fault.message, "restore: the state belongs to a system of other sizes");
  nsd_saved_check(&def, magic + 1, buffer, BYTES, sizeof(saved_head), "restore", &fault);
  ck_assert_str_eq(fault.message, "restore: these bytes are not a state that this library has saved");
  buffer[sizeof(saved_head)] ^= 1u;
  check(buffer, BYTES, &fault);
  ck_assert_str_eq(fault.message, "restore: the state was damaged: its checksum differs");
}
END_TEST

SUITE("system/saved", TEST(what_was_sealed_is_whole), TEST(each_changed_byte_is_noticed),
      TEST(each_other_size_is_noticed), TEST(the_message_says_why))
