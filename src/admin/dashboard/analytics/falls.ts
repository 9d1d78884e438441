// Where the bars of a waterfall stand.
export interface Step {
  from: number;
  to: number;
  isTotal: boolean;
}

/** Where the bar of each point begins and ends: the first and the last stand on the ground, the others on what was reached. */
export function stepsOf(values: readonly number[]): Step[] {
  let reached = 0;
  return values.map((value, i) => {
    const isTotal = i === 0 || i === values.length - 1;
    const from = isTotal ? 0 : reached;
    reached = isTotal ? value : reached + value;
    return { from, to: reached, isTotal };
  });
}

/** Where the scale begins: not at nothing where the movements are small beside the totals, so that they can be seen. */
export function groundOf(steps: readonly Step[]): number {
  const reached = steps.map(({ to }) => to);
  const [low, high] = [Math.min(...reached), Math.max(...reached)];
  return low > (high - low) * 2 ? low - (high - low) * 0.5 : Math.min(0, low);
}
