// How Node runs what lives for minutes only: the processes of the tests, and the products that they start.

/** Room for what is short-lived: with the usual 16 MB a fifth of the processor's time goes into clearing it. */
const ROOM = '--max-semi-space-size=64';

/**
 * Options of the Node that runs this. On Node 20 machine code is made only for what runs very often: made for everything that runs a while, it takes
 * a tenth of the processor's time and is used for seconds. Later versions do not know that option.
 */
export const QUICK_NODE: string[] = [ROOM, ...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=400000'] : [])];

/** The same for a Node by its program. */
export const quickNode = (program: string): string[] => (program === process.execPath ? QUICK_NODE : [ROOM]);
