#ifndef NSDYN_GSL_H
#define NSDYN_GSL_H
#endif
