// An error-reporting service on a free port, which remembers the events that it received.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Reported {
  message: string;
  tags: Record<string, string | undefined>;
}
export interface ReportService {
  dsn: string;
  reports: Reported[];
  close(): Promise<void>;
}

/** The event of an envelope: its header, the header of its one item, and the event, a line each. */
function eventOf(envelope: string): Reported {
  const event = JSON.parse(envelope.split('\n')[2] ?? '') as { exception: { values: { value: string }[] }; tags: Reported['tags'] };
  return { message: event.exception.values[0]?.value ?? '', tags: event.tags };
}

/** Takes what a Sentry-like client sends to `dsn`. */
export async function startReportService(): Promise<ReportService> {
  const reports: Reported[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request
      .setEncoding('utf8')
      .on('data', (part: string) => {
        text += part;
      })
      .on('end', () => {
        reports.push(eventOf(text));
        response.end('{}');
      });
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    dsn: `http://key@127.0.0.1:${(server.address() as AddressInfo).port}/1`,
    reports,
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
