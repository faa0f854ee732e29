//! Minimisation of a smooth convex function of many weights.
// CITE: L-BFGS, Liu and Nocedal 1989; steps are halved until they bring enough, Armijo 1966.

use std::collections::VecDeque;

/// Number of past steps used to estimate the curvature.
const REMEMBERED: usize = 12;
/// Fraction of the predicted decrease that a step must achieve.
const ENOUGH: f64 = 1e-4;
/// Most halvings of a step; one still too long leads nowhere.
const HALVINGS: usize = 30;

/// Minimiser of a function that returns its value and gradient.
pub(super) struct Optimizer<F> {
    function: F,
    weights: Vec<f64>,
    height: f64,
    slope: Vec<f64>,
    /// Approximate curvature along each weight; positive.
    curvature: Vec<f64>,
    steps: VecDeque<OptimizerStep>,
}

/// Change of the weights and of the gradient in a step, and 1 over their product.
struct OptimizerStep {
    moved: Vec<f64>,
    turned: Vec<f64>,
    inverse: f64,
}

fn dot(one: &[f64], two: &[f64]) -> f64 {
    one.iter().zip(two).map(|(one, two)| one * two).sum()
}

/// Adds `times * more` to `sum`.
fn add(sum: &mut [f64], times: f64, more: &[f64]) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += times * more);
}

fn difference(one: &[f64], two: &[f64]) -> Vec<f64> {
    one.iter().zip(two).map(|(one, two)| one - two).collect()
}

impl<F: Fn(&[f64]) -> (f64, Vec<f64>)> Optimizer<F> {
    /// Starts at these weights.
    pub(super) fn new(function: F, weights: Vec<f64>, curvature: Vec<f64>) -> Self {
        let (height, slope) = function(&weights);
        Self { function, weights, height, slope, curvature, steps: VecDeque::new() }
    }

    /// Current weights.
    pub(super) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Takes a step; `false` at the minimum.
    pub(super) fn step(&mut self) -> bool {
        let way = self.way();
        let promised = dot(&way, &self.slope);
        let mut length = 1.0;
        for _ in 0..HALVINGS {
            let mut weights = self.weights.clone();
            add(&mut weights, length, &way);
            let (height, slope) = (self.function)(&weights);
            if height < self.height + ENOUGH * length * promised {
                self.arrive(weights, height, slope);
                return true;
            }
            length *= 0.5;
        }
        false
    }

    /// Step towards the minimum, from the gradient and its changes in the last steps.
    fn way(&self) -> Vec<f64> {
        let mut way: Vec<_> = self.slope.iter().map(|slope| -slope).collect();
        let mut shares = Vec::with_capacity(self.steps.len());
        for OptimizerStep { moved, turned, inverse } in self.steps.iter().rev() {
            let share = inverse * dot(moved, &way);
            add(&mut way, -share, turned);
            shares.push(share);
        }
        way.iter_mut().zip(&self.curvature).for_each(|(way, curvature)| *way /= curvature);
        for (OptimizerStep { moved, turned, inverse }, share) in
            self.steps.iter().zip(shares.iter().rev())
        {
            let back = inverse * dot(turned, &way);
            add(&mut way, share - back, moved);
        }
        way
    }

    fn arrive(&mut self, weights: Vec<f64>, height: f64, slope: Vec<f64>) {
        let moved = difference(&weights, &self.weights);
        let turned = difference(&slope, &self.slope);
        let product = dot(&moved, &turned);
        // Rounding may hide the curvature at the very minimum.
        if product > 0.0 {
            self.steps.push_back(OptimizerStep { moved, turned, inverse: 1.0 / product });
            if self.steps.len() > REMEMBERED {
                self.steps.pop_front();
            }
        }
        (self.weights, self.height, self.slope) = (weights, height, slope);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bottom_of_a_narrow_valley_is_found() {
        // sum of 10^(n/2) (w[n] - n)^2, with coupled weights.
        let valley = |weights: &[f64]| {
            let (mut height, mut slope) = (0.0, vec![0.0; weights.len()]);
            for (n, weight) in weights.iter().enumerate() {
                let (steep, off) = (10_f64.powf(n as f64 / 2.0), weight - n as f64);
                height += steep * off * off;
                slope[n] += 2.0 * steep * off;
                if n > 0 {
                    let apart = weight - weights[n - 1] - 1.0;
                    height += 50.0 * apart * apart;
                    slope[n] += 100.0 * apart;
                    slope[n - 1] -= 100.0 * apart;
                }
            }
            (height, slope)
        };
        let mut optimizer = Optimizer::new(valley, vec![-30.0; 10], vec![1.0; 10]);
        let steps = (0..200).take_while(|_| optimizer.step()).count();
        for (n, weight) in optimizer.weights().iter().enumerate() {
            assert!((weight - n as f64).abs() < 1e-6, "weight {n} is {weight} after {steps} steps");
        }
    }
}
