/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
// From C++11: the headers, objects in owning pointers, and callbacks written as lambdas.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <nsdyn/nsdyn.h>

namespace
{

int count = 0, failed = 0;

void check(bool good, const char *what)
{
  std::printf("%sok %d - %s\n", good ? "" : "not ", ++count, what);
  failed += good ? 0 : 1;
}

// What a host brings: memory, counted, and a place for log lines.
struct Host {
  std::size_t bytes = 0;
  std::size_t shift = 0; // moves blocks off their alignment
  std::vector<std::string> lines;
  int destroyed = 0;
};

Host &host(void *user)
{
  return *static_cast<Host *>(user);
}

struct Free {
  void operator()(nsdyn_context *ctx) const
  {
    nsdyn_context_free(ctx);
  }
};
using Context = std::unique_ptr<nsdyn_context, Free>;

nsdyn_context_def table_of(Host &h)
{
  nsdyn_context_def def;
  nsdyn_context_def_init(&def, sizeof def);
  def.user = &h;
  def.allocate = [](void *user, std::size_t bytes, std::size_t alignment) -> void * {
    host(user).bytes += bytes;
    void *memory = nullptr;
    if (posix_memalign(&memory, alignment, bytes + 2 * alignment) != 0) {
      return nullptr;
    }
    return static_cast<char *>(memory) + host(user).shift;
  };
  def.release = [](void *user, void *memory, std::size_t bytes) {
    host(user).bytes -= bytes;
    std::free(static_cast<char *>(memory) - host(user).shift);
  };
  def.log = [](void *user, std::int32_t, const char *line) { host(user).lines.push_back(line); };
  def.destroy_user = [](void *user) { host(user).destroyed++; };
  return def;
}

nsdyn_status open(Host &h, Context &out)
{
  const nsdyn_context_def def = table_of(h);
  nsdyn_context *ctx = nullptr;
  const nsdyn_status status = nsdyn_context_new(&def, &ctx, NULL);
  out.reset(ctx);
  return status;
}

} // namespace

int main()
{
  int major = -1, minor = -1, micro = -1;
  nsdyn_version(&major, &minor, &micro);
  check(major == NSDYN_VERSION_MAJOR && minor == NSDYN_VERSION_MINOR && micro == NSDYN_VERSION_MICRO,
        "the library is of the headers' release");
  check(std::strcmp(nsdyn_version_string(), NSDYN_VERSION_STRING) == 0, "and says so in words");
  check(std::string(nsdyn_status_name(NSDYN_ERR_NOMEM)) == "NSDYN_ERR_NOMEM", "a status has its name");
  check(nsdyn_interval_prox(-1.0, 2.0, 5.0) == 2.0, "a set-valued law is called");

  Host good;
  {
    Context ctx;
    check(open(good, ctx) == NSDYN_OK && ctx, "a context is made");
    check(good.bytes > 0, "from the host's memory");
  }
  check(good.bytes == 0 && good.destroyed == 1, "and goes with its owner");

  Host bad;
  bad.shift = 8;
  Context none;
  check(open(bad, none) == NSDYN_ERR_NOMEM && !none, "memory that is not aligned is refused");
  check(bad.lines.size() == 1 && bad.bytes == 0 && bad.destroyed == 0,
        "with a line in the log, and goes back");

  std::printf("1..%d\n", count);
  return failed > 0;
}
