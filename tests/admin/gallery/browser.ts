// Which browser the tests drive, and how it is started.
import { existsSync } from 'node:fs';

/** The one without windows first: drawing none of the browser's own takes a fifth less of the processor. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/** The system's Chromium: CHROMIUM if set, else the first that is there. */
export function chromiumPath(): string {
  const found = process.env.CHROMIUM || PLACES.find(existsSync);
  if (!found)
    throw new Error('No Chromium was found. Install it (Debian: apt-get install chromium-headless-shell) or set CHROMIUM to its path.');
  return found;
}

/** Nothing of the browser's own may use the network or the processor while it is measured. Any name under stores.test is this machine. */
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP *.stores.test 127.0.0.1 , MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
];
