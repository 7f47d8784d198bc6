/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <expat.h>
#include <nsdyn/nsdyn.h>
#include <stdio.h>
#include <string.h>

// What expat reports goes to the reader; after a failure the parser stops.
struct parse {
  XML_Parser xml;
  nsdyn_urdf *urdf;
};

static void begins(void *user, const char *name, const char **attributes)
{
  struct parse *p = user;
  const int64_t line = (int64_t)XML_GetCurrentLineNumber(p->xml);
  if (nsdyn_urdf_start(p->urdf, line, name, (const char *const *)attributes)) {
    XML_StopParser(p->xml, XML_FALSE);
  }
}

static void ends(void *user, const char *name)
{
  struct parse *p = user;
  (void)name;
  if (nsdyn_urdf_end(p->urdf)) {
    XML_StopParser(p->xml, XML_FALSE);
  }
}

// A tree of a text in memory; NULL, and why not, where there is none.
static nsdyn_tree *read_urdf(const char *text, size_t length, const nsdyn_urdf_options *options)
{
  struct parse p = {XML_ParserCreate(NULL), NULL};
  nsdyn_tree *tree = NULL;
  if (!p.xml || nsdyn_urdf_new(NULL, options, &p.urdf, NULL)) {
    XML_ParserFree(p.xml);
    return NULL;
  }
  XML_SetUserData(p.xml, &p);
  XML_SetElementHandler(p.xml, begins, ends);
  if (XML_Parse(p.xml, text, (int)length, 1) == XML_STATUS_OK) {
    nsdyn_urdf_tree(p.urdf, &tree);
  }
  if (nsdyn_urdf_message(p.urdf)[0]) {
    printf("%s\n", nsdyn_urdf_message(p.urdf));
  } else if (!tree) {
    printf("line %lu: %s\n", XML_GetCurrentLineNumber(p.xml), XML_ErrorString(XML_GetErrorCode(p.xml)));
  }
  nsdyn_urdf_free(p.urdf);
  XML_ParserFree(p.xml);
  return tree;
}

// What the library does not know is told, and passed over.
static int pass_over(void *user, int64_t line, const char *name)
{
  (void)user;
  printf("line %d: %s is passed over\n", (int)line, name);
  return 0;
}

static const char *const robot = "<robot name='arm'>\n"
                                 "  <link name='base'/>\n"
                                 "  <link name='arm'>\n"
                                 "    <inertial><origin xyz='0 0 0.3'/><mass value='2'/>\n"
                                 "      <inertia ixx='0.06' iyy='0.06' izz='0.01'/></inertial>\n"
                                 "  </link>\n"
                                 "  <joint name='shoulder' type='revolute'>\n"
                                 "    <parent link='base'/><child link='arm'/><axis xyz='0 1 0'/>\n"
                                 "    <limit lower='-1.5' upper='1.5' effort='30' velocity='2'/>\n"
                                 "    <dynamics friction='0.4'/>\n"
                                 "  </joint>\n"
                                 "  <gazebo reference='arm'/>\n"
                                 "</robot>\n";

int main(void)
{
  nsdyn_urdf_options options;
  nsdyn_urdf_options_init(&options, sizeof options);
  read_urdf(robot, strlen(robot), &options); // refused: one element is unknown
  options.unknown = pass_over;
  nsdyn_tree *tree = read_urdf(robot, strlen(robot), &options);
  char text[1024];
  const size_t bytes = nsdyn_tree_write_text(tree, text, sizeof text); // 0: it cannot be written
  if (bytes > 0 && bytes <= sizeof text) {
    printf("%s", text);
  }
  nsdyn_tree_free(tree);
  return tree ? 0 : 1;
}
