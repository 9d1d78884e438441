/**
 * The seed of a test with a random plan: the same at every run, so that a run tells about the code and not about its luck. `FC_SEED=7` chooses
 * another, and `npm run torture` takes fresh ones.
 */
export const planSeed = (): number => Number(process.env.FC_SEED ?? 20_260_101);
