/* SPDX-License-Identifier: MIT */
#include "run/tree/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { LONGEST = 63 };

static int least(int a, int b) {
  return a < b ? a : b;
}

/* Edit distance with swaps of neighbours (optimal string alignment), upper and lower case alike. */
static int distance(const char *a, const char *b) {
  int rows[3][LONGEST + 2];
  int *before = rows[0], *last = rows[1], *now = rows[2];
  int m = (int)strlen(a), n = (int)strlen(b);
  for (int j = 0; j <= n; j++)
    last[j] = j;
  for (int i = 1; i <= m; i++) {
    now[0] = i;
    for (int j = 1; j <= n; j++) {
      int ca = tolower((unsigned char)a[i - 1]), cb = tolower((unsigned char)b[j - 1]);
      now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + (ca != cb));
      if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) && cb == tolower((unsigned char)a[i - 2]))
        now[j] = least(now[j], before[j - 2] + 1);
    }
    int *spare = before;
    before = last;
    last = now;
    now = spare;
  }
  return last[n];
}

/* What others call it: meaning counts more than letters, since `fixed` is much like `pinned` and means clamped. One row
   a word of ours, with the others' words apart by spaces; the same other word may stand in several rows, since only
   words count that are possible at the place. */
static const char *const others[][2] = {
    {"clamped", "fixed fix built_in encastre encastred cantilever cantilevered welded rigid held"},
    {"pinned", "hinge hinged pin simply_supported simple supported ball joint held"},
    {"free", "loose open none unsupported"},
    {"held", "fixed fix clamped pinned locked constrained zero"},
    {"start", "begin beginning base root left first bottom foot proximal clamp from origin"},
    {"end", "tip last right top final tail distal finish stop duration until t_end tend length"},
    {"output", "dt interval sampling every"},
    {"frames", "fps frame_rate snapshots"},
    {"step", "dt h time_step timestep step_size max_step"},
    {"tolerance", "tol rtol accuracy eps precision"},
    {"integrator", "method time_integrator ode"},
    {"scheme", "discretization discretisation space"},
    {"increments", "load_steps loadsteps"},
    {"radius", "r"},
    {"outer", "outer_radius r_outer ro R"},
    {"inner", "inner_radius r_inner ri"},
    {"width", "w b"},
    {"height", "h depth"},
    {"area", "A"},
    {"I1", "I Ix Ixx"},
    {"I2", "Iy Iyy"},
    {"J", "polar torsion_constant torsional_constant It Jt Ip"},
    {"circle", "round circular disc disk cylinder solid wire rod"},
    {"annulus", "tube pipe ring hollow hollow_circle hose"},
    {"rectangle", "rect square box bar strip ribbon"},
    {"explicit", "custom general other any user"},
    {"young", "E modulus youngs_modulus young's_modulus elastic_modulus elasticity stiffness Y"},
    {"shear", "G shear_modulus mu GA"},
    {"poisson", "nu poisson_ratio poissons_ratio poisson's_ratio v"},
    {"density", "rho mass_density mass"},
    {"extension", "EA axial stretch stretching tension"},
    {"bending", "EI flexural flexure"},
    {"torsion", "GJ twist twisting"},
    {"mass", "m rhoA linear_density mass_per_length line_density"},
    {"rotary", "rhoI rotational rotation"},
    {"time", "relaxation_time tau duration"},
    {"share", "weight fraction ratio g"},
    {"translation", "linear velocity air"},
    {"rotation", "angle angles orientation turn quaternion angular"},
    {"position", "displacement path trajectory location place"},
    {"release", "until let_go free_at"},
    {"angle", "phi theta rad"},
    {"axis", "direction about"},
    {"length", "L len size"},
    {"segments", "N elements nodes cells resolution mesh pieces n_elements number_of_segments"},
    {"model", "kind type theory"},
    {"section", "cross_section profile"},
    {"ends", "supports support boundary boundaries boundary_conditions bc bcs constraints"},
    {"damping", "viscosity viscous dissipation"},
    {"maxwell", "relaxation viscoelastic viscoelasticity prony"},
    {"initial", "initial_conditions start ic"},
    {"shape", "geometry reference undeformed rest_shape"},
    {"origin", "start position from base"},
    {"direction", "tangent d3 axis orientation"},
    {"curvature", "kappa natural_curvature bend"},
    {"helix", "coil spring spiral"},
    {"cosserat", "timoshenko reissner simo shearable simo_reissner"},
    {"kirchhoff", "euler_bernoulli euler bernoulli unshearable"},
    {"inextensible", "elastica unstretchable"},
    {"velocity", "v speed velocities"},
    {"angular_velocity", "omega spin"},
    {"gravity", "g acceleration"},
    {"rods", "rod beam beams cable cables fiber fibers"},
    {"loads", "load force forces moments"},
    {"constants", "parameters params variables vars define"},
    {"functions", "expressions signals"},
    {"probes", "sensors sensor outputs output measure record"},
    {"strands", "hair hairs"},
    {"analysis", "type kind mode"},
    {"statics", "static equilibrium static_equilibrium"},
    {"dynamics", "dynamic transient motion simulation time"},
    {"quasistatics", "quasi_static quasi_statics"},
    {"modes", "eigenmodes eigenvalues eigen modal vibration vibrations frequencies"},
    {"buckling", "stability linear_buckling critical"},
    {"at", "s where location place point position node"},
    {"along", "distributed range between over"},
    {"force", "F"},
    {"moment", "M torque couple"},
    {"axes", "frame system coordinate_system coordinates"},
    {"space", "global world inertial fixed"},
    {"body", "local material follower follow moving"},
    {"quantity", "what variable value"},
    {"director3", "tangent d3"},
    {"director1", "d1"},
    {"director2", "d2 normal"},
    {"reaction_force", "reaction support_force"},
    {"reaction_moment", "support_moment"},
    {"energy", "total_energy"},
    {"elastic", "strain_energy elastic_energy potential potential_energy"},
    {"kinetic", "kinetic_energy"},
    {"dissipated", "dissipation loss losses damping"},
    {"linear_momentum", "momentum"},
    {"centre_of_mass", "com centroid"},
    {"pneumatic", "chamber air pressure muscle"},
    {"tendon", "cable rope wire string thread"},
    {"offset", "position distance radius"},
    {"dopri5", "rk45 rk4 ode45 explicit"},
    {"ndf", "bdf ode15s"},
    {"galpha", "newmark generalized_alpha generalised_alpha hht"},
    {"rodas", "rosenbrock ode23s"},
    {"radau5", "implicit radau_iia"},
};

/* Likewise, where the value is another one, too. */
static const struct {
  const char *ours, *other, *remark;
} remarks[] = {
    {"radius", "diameter diam d D", "half of it"},
    {"outer", "outer_diameter od", "half of it"},
    {"inner", "inner_diameter id", "half of it"},
    {"height", "thickness t", "of a rectangle; a tube has outer and inner"},
    {"inner", "wall wall_thickness", "which is outer minus the wall thickness"},
    {"force", "pressure", "minus pressure times area"},
};

/* Letters of either case, and blanks, hyphens and underscores alike. */
static bool is_same(char a, char b) {
  const bool blank_a = strchr(" -_", a) && a, blank_b = strchr(" -_", b) && b;
  return (blank_a && blank_b) || tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Is the word one of those of the list? */
static bool is_listed(const char *word, const char *list) {
  const size_t length = strlen(word);
  for (size_t size; length > 0 && *list; list += size + (list[size] == ' ')) {
    size = strcspn(list, " ");
    bool same = size == length;
    for (size_t i = 0; same && i < size; i++)
      same = is_same(word[i], list[i]);
    if (same)
      return true;
  }
  return false;
}

static const char *find(const char *word, const char *const *candidates, int count) {
  for (int i = 0; i < count; i++)
    if (strcmp(candidates[i], word) == 0)
      return candidates[i];
  return NULL;
}

static const char *translate(const char *word, const char *const *candidates, int count) {
  const char *found = NULL;
  for (size_t i = 0; !found && i < sizeof remarks / sizeof *remarks; i++)
    found = is_listed(word, remarks[i].other) ? find(remarks[i].ours, candidates, count) : NULL;
  for (size_t i = 0; !found && i < sizeof others / sizeof *others; i++)
    found = is_listed(word, others[i][1]) ? find(others[i][0], candidates, count) : NULL;
  return found;
}

const char *wy_suggest_remark(const char *word, const char *suggestion) {
  for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++)
    if (strcmp(remarks[i].ours, suggestion) == 0 && is_listed(word, remarks[i].other))
      return remarks[i].remark;
  return "";
}

const char *wy_suggest(const char *word, const char *const *candidates, int count) {
  const char *best = translate(word, candidates, count);
  int best_distance = 0;
  size_t length = strlen(word);
  if (best || length > LONGEST)
    return best;
  for (int i = 0; i < count; i++) {
    size_t other = strlen(candidates[i]);
    if (other > LONGEST)
      continue;
    int d = distance(word, candidates[i]);
    int allowed = least(3, (int)(length > other ? length : other) / 3);
    bool extends = length >= 3 && strncmp(word, candidates[i], length) == 0;
    if (extends)
      d = 1;
    if (d <= allowed && d < (int)other && (!best || d < best_distance)) {
      best = candidates[i];
      best_distance = d;
    }
  }
  return best;
}
