// Fields of a record as facts: a list of names and values, or figures side by side. A field that may be absent and is, is not shown.
import { createElement, type ReactElement, useState } from 'react';
import { displayTextOf } from '../../contract/validation/condition.ts';
import { at, fieldOf, humanise } from '../../contract/paths.ts';
import type { JsonObject, JsonValue, Schema } from '../../contract/types.ts';
import { cellFor, cellNameOf } from '../ui/cells.ts';
import { policyWords, words } from '../platform/interpolate.ts';
import { inSentence, t } from '../../domain/text/t.ts';

/** How cells say more in a record than in a list. */
const LINES: Record<string, JsonObject> = { address: { lines: true }, tags: { all: true }, date: { time: 'zone' } };
const isAbsent = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
const mayBeNull = (schema: Schema | undefined): boolean => [schema?.type ?? []].flat().includes('null');

/** A value by the cell of its field. */
export function FactValue({
  record,
  name,
  schema,
  short = false,
}: {
  record: JsonObject;
  name: string;
  schema: Schema | undefined;
  /** As one line, for figures side by side. */ short?: boolean;
}): ReactElement {
  const field = fieldOf(schema, name);
  const value = at(record, name);
  const cell = cellNameOf(field);
  const said = displayTextOf(field, record);
  if (said) return <span className="r-text">{words(said.text, { record, schema })}</span>;
  // Text keeps its lines here; a list cuts it to one.
  if (cell === 'text' && typeof value === 'string' && value !== '') return <span className="r-text">{value}</span>;
  if (cell === 'tags' && Array.isArray(value) && value.every(item => typeof item !== 'object') && value.length)
    return (
      <span className="r-tags">
        {value.map(item => (
          <span key={String(item)} className="p-tag">
            {String(item)}
          </span>
        ))}
      </span>
    );
  if (Array.isArray(value) && value.some(item => item !== null && typeof item === 'object' && 'key' in item))
    return <Pairs pairs={value as JsonObject[]} />;
  if (cell === 'text' && value !== null && typeof value === 'object' && 'interval' in value)
    return <span className="r-text">{policyWords(value as JsonObject)}</span>;
  return <Cell name={isId(name, field) ? 'copy' : cell} short={short} value={value} record={record} schema={field} />;
}
/** Numbers that name something: they copy, and are not grouped by thousands. */
const isId = (name: string, field: Schema | undefined): boolean =>
  /(^|\.)id$|Id$/.test(name) && [field?.type ?? []].flat().some(type => type === 'integer' || type === 'string') && !field?.format;

function Cell({
  name,
  short,
  ...props
}: {
  name: string;
  short: boolean;
  value: JsonValue | undefined;
  record: JsonObject;
  schema: Schema | undefined;
}): ReactElement {
  return createElement(cellFor(name), { ...props, options: { ...(short ? {} : LINES[name]), ...props.schema?.['x-ui']?.options } });
}

/** Attributes: names and values. */
export const Pairs = ({ pairs }: { pairs: JsonObject[] }): ReactElement => (
  <dl className="r-pairs">
    {pairs.map((pair, i) => (
      <div key={i}>
        <dt className="p-muted">{String(pair.key)}</dt>
        <dd>{String(pair.value)}</dd>
      </div>
    ))}
  </dl>
);

/** Whether a value would push everything below it off the screen. */
const isLong = (value: JsonValue | undefined): boolean =>
  Array.isArray(value)
    ? value.length > 12 || JSON.stringify(value).length > 700
    : typeof value === 'string' && (value.length > 420 || value.split('\n').length > 9);

/** A long value, cut to its beginning until all of it is opened. */
function Clip({ what, isLong: long, children }: { what: string; isLong: boolean; children: ReactElement }): ReactElement {
  const [isOpen, setOpen] = useState(false);
  if (!long) return <div className="r-only">{children}</div>;
  return (
    <>
      <div className={isOpen ? 'r-only' : 'r-only r-clipped'}>{children}</div>
      <p className="r-clip-more">
        <button
          type="button"
          className="p-link"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? t`Show less of` : t`Show all of`} ${inSentence(what)}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t`Show less` : t`Show all`}
        </button>
      </p>
    </>
  );
}

export function Facts({
  record,
  fields,
  schema,
  columns,
}: {
  record: JsonObject;
  fields: string[];
  schema: Schema | undefined;
  columns?: number | undefined;
}): ReactElement {
  const shown = fields.filter(name => columns !== undefined || !(isAbsent(at(record, name)) && mayBeNull(fieldOf(schema, name))));
  const title = (name: string): string => fieldOf(schema, name)?.title ?? humanise(name.split('.').at(-1) ?? name);
  // One long field alone needs no name: the section's title is its name.
  const [only] = shown;
  if (shown.length === 1 && fields.length === 1 && only && columns === undefined) {
    return isAbsent(at(record, only)) ? (
      <p className="p-hint">{t`None yet.`}</p>
    ) : (
      <Clip what={title(only)} isLong={isLong(at(record, only))}>
        <FactValue record={record} name={only} schema={schema} />
      </Clip>
    );
  }
  return (
    <dl
      className={columns ? 'r-figures' : 'p-facts r-facts'}
      {...(columns ? { style: { '--r-columns': columns } as React.CSSProperties } : {})}
    >
      {shown.map(name =>
        columns ? (
          <div key={name} className="r-figure">
            <dt data-tip={fieldOf(schema, name)?.description}>{title(name)}</dt>
            <dd>
              <FactValue record={record} name={name} schema={schema} short />
            </dd>
          </div>
        ) : (
          <Pair key={name} title={title(name)} tip={fieldOf(schema, name)?.description}>
            <FactValue record={record} name={name} schema={schema} />
          </Pair>
        ),
      )}
    </dl>
  );
}
const Pair = ({ title, tip, children }: { title: string; tip: string | undefined; children: ReactElement }): ReactElement => (
  <>
    <dt {...(tip ? { 'data-tip': tip } : {})}>{title}</dt>
    <dd>{children}</dd>
  </>
);
