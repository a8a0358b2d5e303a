// SPDX-License-Identifier: Apache-2.0
// How draws of the gamma distribution change with its shape: against 60 digits, and against the inverse of the distribution
// function itself, whose slope is taken by differences.

#include <tessera/base/gamma_slope.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

namespace math = tessera::math;

struct known {
  double a, x, slope;
};
// tests/base/gamma_slopes.py
constexpr known table[]{
    {1e-06, 1e-30, 6.8500338769852711e-23},
    {1e-06, 0.000501, 3519.8808948489772},
    {1e-06, 0.006001, 27436.339690424049},
    {1e-06, 0.3, 366761.04260842241},
    {1e-06, 1.2, 631122.42432188288},
    {1e-06, 20, 954374.4070910369},
    {0.01, 1e-30, 6.85166673319527e-27},
    {0.01, 0.060000000000000005, 14.711610587090601},
    {0.01, 0.3, 37.034760047760756},
    {0.01, 0.6100000000000001, 50.616197073883449},
    {0.01, 1.2, 64.092301660145903},
    {0.01, 20, 98.920289035150351},
    {0.5, 1e-30, 1.3822808552759991e-28},
    {0.5, 0.3, 1.0098019459488546},
    {0.5, 0.8535533905932737, 1.7455461685800417},
    {0.5, 1.2, 2.0370864304975251},
    {0.5, 4.742640687119286, 3.3822503495055554},
    {0.5, 20, 4.8891717729440829},
    {0.99, 1e-30, 7.01958257534008e-29},
    {0.99, 0.3, 0.60023179868945215},
    {0.99, 1.2, 1.2937753935924234},
    {0.99, 1.48749371855331, 1.4342656759827586},
    {0.99, 6.95992462263972, 2.6577345743765982},
    {0.99, 20, 3.6354814406278471},
    {1, 1e-30, 6.9500337124919843e-29},
    {1, 0.3, 0.59577846565618241},
    {1, 1.2, 1.2854717535902721},
    {1, 1.5, 1.4309374423012802},
    {1, 7.0, 2.6497669100334789},
    {1, 20, 3.6206664839514847},
    {2, 1e-30, 3.5000168562459922e-29},
    {2, 0.3, 0.35917107942953827},
    {2, 0.5857864376269049, 0.54888606911011854},
    {2, 1.2, 0.8307636830207142},
    {2, 2.7071067811865475, 1.2594062588268785},
    {2, 10.485281374238571, 2.2147182137098234},
    {2, 20, 2.7539812626530981},
    {3.5, 1e-30, 2.013326391890883e-29},
    {3.5, 0.3, 0.23931121958476789},
    {3.5, 1.2, 0.58424181313217343},
    {3.5, 1.6291713066130293, 0.69735000733294645},
    {3.5, 4.435414346693485, 1.177931054329158},
    {3.5, 14.724972160321824, 1.9722044431230688},
    {3.5, 20, 2.2080363832151446},
    {20, 15.52786404500042, 0.88612252691903664},
    {20, 22.23606797749979, 1.0627519506511838},
    {20, 46.83281572999748, 1.497204487425072},
    {127, 70.65286165207678, 0.73624362894182091},
    {127, 115.73057233041536, 0.95551119907272466},
    {127, 132.6347138347923, 1.0232049358730982},
    {127, 194.61656601750786, 1.2301632563264569},
    {129, 72.21091654199726, 0.73873111021729906},
    {129, 117.64218330839945, 0.95585931921307384},
    {129, 134.67890834580027, 1.0230161809752103},
    {129, 197.14690014960328, 1.2285919103320937},
    {1000, 841.886116991581, 0.91656462009638891},
    {1000, 968.3772233983162, 0.98418327241314812},
    {1000, 1015.8113883008419, 1.0080323467290248},
    {1000, 1189.7366596101028, 1.0895613638764889},
    {5000, 4646.446609406727, 0.9638126736348366},
    {5000, 4929.289321881345, 0.99292845807885102},
    {5000, 5035.355339059327, 1.0035606814345671},
    {5000, 5424.264068711928, 1.0413095670402373},
};

TEST(gamma_slope, as_60_digits) {
  for (auto const& k : table) {
    double const slope = k.x * math::gamma_slope(std::log(k.x), k.a);
    EXPECT_NEAR(slope / k.slope, 1, 2e-13) << k.a << ' ' << k.x;
    auto const log_x = static_cast<float>(std::log(k.x)), a = static_cast<float>(k.a);
    double const wide = math::gamma_slope(static_cast<double>(log_x), static_cast<double>(a));
    EXPECT_NEAR(static_cast<double>(math::gamma_slope(log_x, a)) / wide, 1, 1.2e-7);
  }
}

// The part of the distribution below x, by its series.
long double below(long double a, long double x) {
  long double term = 1 / a, sum = term;
  for (long double n = 1; term > 1e-22L * sum; ++n) sum += term *= x / (a + n);
  return sum * std::exp(a * std::log(x) - x - std::lgamma(a));
}
long double with_rank(long double a, long double rank) {
  long double low = 0, high = a + 60 + 12 * std::sqrt(a);
  for (int turn = 0; turn < 90; ++turn) {
    long double const middle = (low + high) / 2;
    (below(a, middle) < rank ? low : high) = middle;
  }
  return (low + high) / 2;
}
TEST(gamma_slope, as_the_inverse_distribution_function) {
  for (double a : {0.3, 0.9, 1.0, 2.5, 7.0, 40.0, 150.0, 700.0})
    for (double rank : {0.001, 0.2, 0.5, 0.77, 0.9995}) {
      long double const step = 1e-4L * a;
      auto const x = static_cast<double>(with_rank(a, rank));
      auto const slope = static_cast<double>((with_rank(a + step, rank) - with_rank(a - step, rank)) / (2 * step));
      EXPECT_NEAR(x * math::gamma_slope(std::log(x), a) / slope, 1, 1e-6) << a << ' ' << rank;
    }
}

TEST(gamma_slope, ends) {
  double const least = -745000, infinity = std::numeric_limits<double>::infinity();  // x is 0, its logarithm is not
  EXPECT_NEAR(math::gamma_slope(least, 0.001) * 0.001, -0.5766 - least, 1);
  EXPECT_TRUE(std::isnan(math::gamma_slope(0.0, 0.0)));
  EXPECT_TRUE(std::isnan(math::gamma_slope(0.0, -1.0)));
  EXPECT_TRUE(std::isnan(math::gamma_slope(std::nan(""), 1.0)));
  EXPECT_EQ(math::gamma_slope(-infinity, 1.0), infinity);
  for (double a : {1e6, 1e12, 1e30}) EXPECT_NEAR(a * math::gamma_slope(std::log(a), a), 1, 1e-6);
}

}  // namespace
