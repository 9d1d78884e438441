// One text of the editor: the words it starts from, those of the store, its variables, and what a machine proposes.
import { useId, useRef } from 'react';
import { filledIn, partsOf, placeholdersOf } from '../../../domain/text/placeholders.ts';
import type { TextRecord } from '../../form/languages/text-record.ts';
import { lengthProblems, textProblems } from '../../../domain/text/translation.ts';
import { t } from '../../../domain/text/t.ts';
import { dayTime } from '../../platform/format.ts';
import { tx } from '../../ui/tx.ts';

export type { TextRecord };
export const rowId = ({ categoryId, entityId, key }: TextRecord): string => [categoryId, entityId ?? '', key].join('|');

/** What is wrong with words, as the server would say. */
export const problemsOf = ({ variables, maxLength, source, isTemplate }: TextRecord, words: string, isTranslation: boolean): string[] =>
  isTemplate
    ? lengthProblems(words.trim(), maxLength)
    : textProblems(words.trim(), { variables, maxLength, ...(isTranslation ? { source } : {}) });

export interface TextRowProps {
  text: TextRecord;
  words: string;
  isTranslation: boolean;
  isReadOnly: boolean;
  /** What the server has against the words. */
  refused: string | undefined;
  onChange: (words: string) => void;
  /** Another person changed the text since this edit began: whose words to keep. */
  conflict: { onKeep: () => void; onTake: () => void } | undefined;
}

export function TextRow({ text, words, isTranslation, isReadOnly, refused, onChange, conflict }: TextRowProps) {
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const problems = problemsOf(text, words, isTranslation);
  const shown = refused === undefined || problems.length ? problems : [refused];
  const names = placeholdersOf(text.source);
  // Names of a template's own loops are none to put in.
  const wanted = isTranslation ? names.filter(name => !text.isTemplate || text.variables.includes(name)) : text.variables;
  const has = new Set(placeholdersOf(words));
  const insert = (name: string): void => {
    const area = box.current;
    if (!area) return;
    area.focus();
    area.setRangeText(`{{${name}}}`, area.selectionStart, area.selectionEnd, 'end');
    onChange(area.value);
  };
  const example = words.trim() || text.source;
  return (
    <div className="x-text" data-text={text.key}>
      <div>
        <label htmlFor={id} className="p-label">
          {text.label}
        </label>
        <p className="x-text-source p-muted">
          <Words text={text.source} />
        </p>
      </div>
      <div className="x-text-edit">
        <textarea
          ref={box}
          id={id}
          className="p-input"
          rows={text.componentUI === 'INPUT' ? 1 : Math.min(8, Math.max(2, Math.ceil(example.length / 60)))}
          value={words}
          readOnly={isReadOnly}
          placeholder={isTranslation ? '' : text.defaultValue}
          aria-invalid={shown.length > 0 || undefined}
          aria-describedby={`${id}-notes`}
          onChange={event => onChange(event.target.value)}
          onKeyDown={event => {
            if (text.componentUI === 'INPUT' && event.key === 'Enter' && !event.metaKey && !event.ctrlKey) event.preventDefault();
          }}
        />
        <div id={`${id}-notes`} className="p-stack-s">
          {shown.map(problem => (
            <p key={problem} className="p-error">
              {problem}
            </p>
          ))}
          {conflict && <Theirs text={text} {...conflict} />}
          {!isReadOnly && wanted.length > 0 && (
            <p className="p-row x-vars">
              {wanted.slice(0, 8).map(name => (
                <button
                  key={name}
                  type="button"
                  className="x-var"
                  data-missing={(isTranslation && words !== '' && !has.has(name)) || undefined}
                  aria-label={t`Insert the variable ${name}`}
                  onClick={() => insert(name)}
                >
                  {`{{${name}}}`}
                </button>
              ))}
            </p>
          )}
          {Object.keys(text.samples).length > 0 && words.trim() !== '' && shown.length === 0 && (
            <p className="p-hint">{tx`Customers read: ${filledIn(words, text.samples).replace(/<[^<>]+>/g, '')}`}</p>
          )}
          {text.draft !== null && text.draft !== words && (
            <p className="x-draft">
              <span className="p-badge" data-tone="info">
                {t`Proposal`}
              </span>
              <span className="x-text-source">
                <Words text={text.draft} />
              </span>
              {!isReadOnly && (
                <button
                  type="button"
                  className="p-btn p-btn-s"
                  aria-label={t`Use the proposal for ${text.label}`}
                  onClick={() => onChange(text.draft ?? '')}
                >
                  {t`Use`}
                </button>
              )}
            </p>
          )}
        </div>
      </div>
    </div>
  );
}

/** What another person wrote meanwhile, and the choice between both. */
function Theirs({ text, onKeep, onTake }: { text: TextRecord } & NonNullable<TextRowProps['conflict']>) {
  const who = text.updatedBy || t`Someone else`;
  return (
    <div className="p-banner x-theirs" data-tone="warning" role="group" aria-label={t`${text.label} was changed meanwhile`}>
      <p>{text.updatedAt ? tx`${who} changed this on ${dayTime(text.updatedAt)}. It says now:` : tx`${who} changed this. It says now:`}</p>
      <p className="x-text-source">{text.value === null ? t`Nothing of its own` : <Words text={text.value} />}</p>
      <p className="p-row">
        <button type="button" className="p-btn p-btn-s" onClick={onKeep}>
          {t`Keep mine`}
        </button>
        <button type="button" className="p-btn p-btn-s" onClick={onTake}>
          {t`Take theirs`}
        </button>
      </p>
    </div>
  );
}

/** Words with what a translation must keep marked as chips. */
export function Words({ text }: { text: string }) {
  return (
    <>
      {partsOf(text).map((part, i) =>
        part.isProtected ? (
          <span key={i}>
            <wbr />
            <span className="x-var">{part.text}</span>
            <wbr />
          </span>
        ) : (
          <span key={i}>{part.text}</span>
        ),
      )}
    </>
  );
}
