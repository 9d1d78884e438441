// One call of the API: what it takes, examples of request and answer, what may go wrong, and a form to try it.
import { TableScroll } from '../../ui/table-scroll.tsx';
import { useState } from 'react';
import { Code } from './code.tsx';
import { asCurl, typeWords, type Operation } from './document.ts';
import { Said } from './said.tsx';
import { TryIt } from './try-it.tsx';
import { t } from '../../../domain/text/t.ts';

const WHERE = { path: 'address', query: 'query', body: 'body' };

export function OperationItem({ operation, mayUseTokens, isOpen }: { operation: Operation; mayUseTokens: boolean; isOpen: boolean }) {
  const [open, setOpen] = useState(isOpen);
  return (
    <details className="a-operation" id={operation.id} open={open} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <code className="a-method" data-method={operation.method}>
          {operation.method}
        </code>
        <span className="a-title">{operation.title}</span>
        <code className="a-path">{operation.path}</code>
      </summary>
      {open && <Details operation={operation} mayUseTokens={mayUseTokens} />}
    </details>
  );
}

function Details({ operation, mayUseTokens }: { operation: Operation; mayUseTokens: boolean }) {
  return (
    <div className="a-details">
      <p>
        <Said text={operation.description} />
      </p>
      {operation.parameters.length > 0 && (
        <TableScroll label={t`Parameters`}>
          <table className="p-table p-table-s">
            <caption className="p-sr">{t`Parameters`}</caption>
            <thead>
              <tr>
                <th scope="col">{t`Parameter`}</th>
                <th scope="col">{t`In`}</th>
                <th scope="col">{t`Type`}</th>
                <th scope="col">{t`What it is`}</th>
              </tr>
            </thead>
            <tbody>
              {operation.parameters.map(one => (
                <tr key={`${one.in} ${one.name}`}>
                  <th scope="row">
                    <code>{one.name}</code>
                    {one.required && <span className="p-hint"> {t`required`}</span>}
                  </th>
                  <td>{WHERE[one.in]}</td>
                  <td>{typeWords(one.schema)}</td>
                  <td>
                    <Said text={one.description} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
      {operation.isEvent ? (
        <Example title={t`What is sent`} text={JSON.stringify(operation.body, null, 2)} />
      ) : (
        <Example title={t`Request`} text={asCurl(operation, location.origin)} />
      )}
      {operation.answer !== undefined && <Example title={t.as('webhook')`Answer`} text={JSON.stringify(operation.answer, null, 2)} />}
      {!operation.isEvent && (
        <>
          <details className="a-errors">
            <summary>{t`Errors`}</summary>
            <dl className="p-facts">
              {operation.errors.map(error => (
                <div key={error.status}>
                  <dt>
                    {error.status} {error.description}
                  </dt>
                  <dd>“{error.message}”</dd>
                </div>
              ))}
            </dl>
          </details>
          <TryIt operation={operation} mayUseTokens={mayUseTokens} />
        </>
      )}
    </div>
  );
}

export const Example = ({ title, text }: { title: string; text: string }) => (
  <figure className="a-example">
    <figcaption className="p-label">{title}</figcaption>
    <Code label={title} text={text} />
  </figure>
);
