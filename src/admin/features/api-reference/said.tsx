// The few marks that texts of the API document have: paragraphs, lists, bold words, code.
import { Fragment } from 'react';
import { Code } from './code.tsx';
import { t } from '../../../domain/text/t.ts';

const inline = (text: string) =>
  text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, index) => {
    const key = `${index} ${part}`;
    if (part.startsWith('`')) return <code key={key}>{part.slice(1, -1)}</code>;
    return part.startsWith('**') ? <strong key={key}>{part.slice(2, -2)}</strong> : <Fragment key={key}>{part}</Fragment>;
  });

/** One text; what follows an empty line begins on a new one. */
export const Said = ({ text }: { text: string }) =>
  text.split(/\n+/).map((line, index) => (
    <Fragment key={`${index} ${line}`}>
      {index > 0 && <br />}
      {inline(line.replace(/^- /, '• '))}
    </Fragment>
  ));

/** Paragraphs of a longer text; between fences stands a program, after the line that names its language. */
export const Paragraphs = ({ text }: { text: string }) =>
  text.split('```').map((part, index) =>
    index % 2 === 1 ? (
      <Code key={part} label={t`Example`} text={part.slice(part.indexOf('\n') + 1).trim()} />
    ) : (
      part
        .split('\n\n')
        .filter(one => one.trim())
        .map(one => <p key={one}>{inline(one.trim())}</p>)
    ),
  );
