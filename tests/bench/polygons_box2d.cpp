/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "polygons_box2d.h"

#include <box2d/box2d.h>

#include <vector>

struct polygons_box2d {
  b2World world;
  std::vector<b2Body *> body;
  explicit polygons_box2d(float gravity) : world(b2Vec2(0.0f, -gravity))
  {
  }
};

double polygons_box2d_radius(void)
{
  return double(b2_polygonRadius);
}

int polygons_box2d_corners(void)
{
  return b2_maxPolygonVertices;
}

polygons_box2d *polygons_box2d_new(double gravity)
{
  polygons_box2d *world = new polygons_box2d(float(gravity));
  world->world.SetAllowSleeping(false);
  return world;
}

void polygons_box2d_free(polygons_box2d *world)
{
  delete world;
}

void polygons_box2d_add(polygons_box2d *world, int corners, const double *points, const double *pose,
                        double mass, double inertia, double mu)
{
  b2BodyDef def;
  def.type = mass > 0.0 ? b2_dynamicBody : b2_staticBody;
  def.position.Set(float(pose[0]), float(pose[1]));
  def.angle = float(pose[2]);
  b2Body *body = world->world.CreateBody(&def);
  std::vector<b2Vec2> point;
  for (int i = 0; i < corners; i++) {
    point.push_back(b2Vec2(float(points[2 * i]), float(points[2 * i + 1])));
  }
  b2PolygonShape shape;
  shape.Set(point.data(), corners);
  b2FixtureDef fixture;
  fixture.shape = &shape;
  fixture.density = 0.0f;
  fixture.friction = float(mu); /* of two fixtures √(μ₁ μ₂) holds */
  fixture.restitution = 0.0f;
  body->CreateFixture(&fixture);
  if (mass > 0.0) {
    b2MassData data;
    data.mass = float(mass);
    data.center.SetZero();
    data.I = float(inertia);
    body->SetMassData(&data);
  }
  world->body.push_back(body);
}

void polygons_box2d_step(polygons_box2d *world, double dt)
{
  world->world.Step(float(dt), 8, 3);
}

void polygons_box2d_pose(const polygons_box2d *world, int i, double *pose)
{
  const b2Body *body = world->body[std::size_t(i)];
  pose[0] = double(body->GetPosition().x);
  pose[1] = double(body->GetPosition().y);
  pose[2] = double(body->GetAngle());
}
