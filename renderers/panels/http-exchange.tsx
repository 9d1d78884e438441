// What was sent to another server and what came back: the fields request and answer of a record.
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import '../../src/admin/record/styles/http-exchange.css';
import { t } from '../../src/domain/text/t.ts';

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const text = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

function pretty(value: JsonValue | undefined): string {
  const given = text(value);
  try {
    return JSON.stringify(JSON.parse(given), null, 2);
  } catch {
    return given;
  }
}

export default function HttpExchange({ record }: PanelProps) {
  return (
    <div className="p-card-body r-exchange">
      <Half title={t`Request`} message={record.request} none={t`Nothing was sent yet.`} />
      <Half title={t.as('webhook')`Answer`} message={record.answer} none={t`No answer came yet.`} />
    </div>
  );
}

function Half({ title, message, none }: { title: string; message: JsonValue | undefined; none: string }) {
  if (!isObject(message))
    return (
      <section>
        <h2>{title}</h2>
        <p className="p-muted">{none}</p>
      </section>
    );
  const head = [message.method, message.url, message.status].filter(part => part !== undefined && part !== null).map(text);
  return (
    <section>
      <h2>{title}</h2>
      <p>
        <code>{head.join(' ')}</code>
      </p>
      {isObject(message.headers) && (
        <dl className="r-headers">
          {Object.entries(message.headers).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {message.body !== undefined && <pre>{pretty(message.body) || '(empty)'}</pre>}
    </section>
  );
}
