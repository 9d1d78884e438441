// Makes a call of the API against this store: with the rights of the person who is signed in, or as one of the store's tokens.
import { useId, useState, type FormEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { runCall } from '../../platform/transport/calls.ts';
import { newKey, sendToSee } from '../../platform/transport/transport.ts';
import { Code } from './code.tsx';
import type { Operation } from './document.ts';
import { inFigures, t } from '../../../domain/text/t.ts';
import { tx } from '../../ui/tx.ts';

interface Seen {
  status: number;
  wait: string | null;
  text: string;
}

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};
/** More than that is not drawn. */
const MOST = 20_000;

const andMore = (length: number): string => {
  const rest = inFigures(length);
  return t`… and ${rest} more characters`;
};

/** The address with what was filled in. */
function addressOf(operation: Operation, values: Record<string, string>): string {
  const query = new URLSearchParams();
  for (const one of operation.parameters) if (one.in === 'query' && values[one.name]) query.append(one.name, values[one.name] as string);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  return query.size ? `${path}?${query.toString()}` : path;
}

export function TryIt({ operation, mayUseTokens }: { operation: Operation; mayUseTokens: boolean }) {
  const id = useId();
  const fields = operation.parameters.filter(one => one.in !== 'body');
  const [values, setValues] = useState<Record<string, string>>({});
  const [body, setBody] = useState(() => (operation.body === undefined ? '' : JSON.stringify(operation.body, null, 2)));
  const [as, setAs] = useState('');
  const [seen, setSeen] = useState<Seen>();
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const { data: tokens = [] } = useQuery({
    queryKey: ['api-token', 'call', 'api-keys.read', 'try-it'],
    enabled: mayUseTokens,
    queryFn: async () => ((await runCall('api-keys.read', {})).data as JsonObject[]).filter(({ status }) => status === 'ACTIVE'),
  });
  const run = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setProblem('');
    setSeen(undefined);
    let given: JsonValue | undefined;
    try {
      given = operation.body === undefined || !body.trim() ? undefined : (JSON.parse(body) as JsonValue);
    } catch (error) {
      setProblem(t`The body is not JSON: ${(error as Error).message}.`);
      return;
    }
    setBusy(true);
    try {
      const apiToken = as
        ? String(((await runCall('api-keys.reveal', { id: Number(as) }, { key: newKey() })).data as JsonObject).token)
        : '';
      const response = await sendToSee(
        {
          method: operation.method,
          url: addressOf(operation, values),
          headers: { accept: 'application/json', ...(given === undefined ? {} : { 'content-type': 'application/json' }) },
          ...(given === undefined ? {} : { body: given }),
        },
        { ...(operation.isWrite ? { key: newKey() } : {}), ...(apiToken ? { apiToken } : {}) },
      );
      setSeen({ status: response.status, wait: response.headers.get('retry-after'), text: pretty(await response.text()) });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="a-try" onSubmit={event => void run(event)}>
      <h3>{t`Try it`}</h3>
      {operation.isWrite && <p className="p-hint">{t`This really changes your store.`}</p>}
      {fields.map(one => (
        <div className="p-field" key={one.name}>
          <label className="p-label" htmlFor={`${id}-${one.name}`}>
            {one.name}
            {!one.required && <span className="p-label-optional">{t`optional`}</span>}
          </label>
          <input
            id={`${id}-${one.name}`}
            className="p-input"
            value={values[one.name] ?? ''}
            required={one.required}
            placeholder={one.example === undefined ? '' : String(one.example)}
            onChange={event => setValues({ ...values, [one.name]: event.target.value })}
          />
        </div>
      ))}
      {operation.body !== undefined && (
        <div className="p-field">
          <label className="p-label" htmlFor={`${id}-body`}>
            {t`Body`}
          </label>
          <textarea
            id={`${id}-body`}
            className="p-input a-code"
            rows={Math.min(14, body.split('\n').length + 1)}
            spellCheck={false}
            value={body}
            onChange={event => setBody(event.target.value)}
          />
        </div>
      )}
      <div className="p-row a-send">
        <label className="p-label" htmlFor={`${id}-as`}>
          {t`As`}
        </label>
        <select id={`${id}-as`} className="p-input p-select" value={as} onChange={event => setAs(event.target.value)}>
          <option value="">{t`yourself`}</option>
          {tokens.map(token => (
            <option key={String(token.id)} value={String(token.id)}>
              {String(token.name)} ({String(token.maskedToken)})
            </option>
          ))}
        </select>
        <button type="submit" className="p-btn p-btn-primary" disabled={busy} aria-busy={busy}>
          {t`Send`}
        </button>
      </div>
      {problem && (
        <p className="p-error" role="alert">
          {problem}
        </p>
      )}
      {seen && (
        <div role="status">
          <p className="p-row">
            <span className="p-badge" data-tone={seen.status < 300 ? 'success' : seen.status < 500 ? 'warning' : 'critical'}>
              {seen.status}
            </span>
            {seen.wait && <span className="p-hint">{tx`Retry-After: ${seen.wait}`}</span>}
          </p>
          <Code
            label={t`What came back`}
            text={seen.text.length > MOST ? `${seen.text.slice(0, MOST)}\n${andMore(seen.text.length - MOST)}` : seen.text}
          />
        </div>
      )}
    </form>
  );
}
