/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>
#include <string.h>

// A robot's arm in a file, and a slip in its last line.
static const char *const model = "tree  gravity 0 0 -9.81\n"
                                 "body turret  joint revolute  mass 4  inertia 0.1 0.1 0.1 0 0 0\n"
                                 "body arm  parent turret  joint revolute  axis 0 1 0  joint_place 0 0 0.4\n"
                                 "  mass 2  centre 0.3 0 0  inertia 0.01 0.07 0.07 0 0 0\n"
                                 "element brake  between turret world  friction 0.8\n"
                                 "element stop   between arm world  lower -1.2  upper 0.5  eps_n 0.2\n",
                         *const slip = "elemnt spring  between arm world\n";

int main(void)
{
  nsdyn_tree *tree = NULL;
  nsdyn_error error = {.size = sizeof error};
  char text[1024];
  if (nsdyn_tree_read_text(NULL, model, strlen(model), &tree, &error)) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  printf("%d bodies, %d velocities\n", (int)nsdyn_tree_bodies(tree), (int)nsdyn_tree_nu(tree));
  const size_t bytes = nsdyn_tree_write_text(tree, text, sizeof text); // 0: it cannot be written
  if (bytes > 0 && bytes <= sizeof text) {
    printf("%s", text);
  }
  nsdyn_tree_free(tree);
  // Nothing is skipped silently.
  snprintf(text, sizeof text, "%s%s", model, slip);
  if (nsdyn_tree_read_text(NULL, text, strlen(text), &tree, &error)) {
    printf("%s\n", error.message);
  }
  return 0;
}
