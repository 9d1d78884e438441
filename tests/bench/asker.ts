// A client that asks a server the same thing again and again, in a process of its own as a browser is; says "asking" with the first answer,
// and how long (ms) each took when a line comes in.
import process from 'node:process';

const [url = '', method = 'GET', headers = '{}', body = ''] = process.argv.slice(2);
const times: number[] = [];
let isOver = false;
process.stdin.once('data', () => {
  isOver = true;
});
while (!isOver) {
  const from = performance.now();
  const response = await fetch(url, { method, body: body || null, headers: JSON.parse(headers) as Record<string, string> });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  if (times.push(performance.now() - from) === 1) process.stdout.write('asking\n');
}
process.stdout.write(JSON.stringify(times));
process.stdin.destroy();
