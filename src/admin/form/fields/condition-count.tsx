// "1,240 subscriptions match", counted again while conditions are typed.
import { useEffect, useState } from 'react';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { count as written } from '../../platform/format.ts';
import type { FormServices } from './widget.ts';
import { t } from '../../../domain/text/t.ts';

const COUNT = 'conditions.count';
/** Typing pauses so long before it is asked (ms). */
const PAUSE = 350;

interface Counted {
  of: string;
  text: string;
  failed: boolean;
}

const textOf = ({ count, isAbout }: JsonObject): string => {
  const n = Number(count);
  const number = written(n);
  if (isAbout === true) return n === 1 ? t`About ${number} subscription matches today` : t`About ${number} subscriptions match today`;
  return n === 1 ? t`${number} subscription matches today` : t`${number} subscriptions match today`;
};

/** `set` is sound; null while it is not. */
export function ConditionCount({ services, set }: { services: FormServices; set: JsonValue | null }) {
  const setText = set === null ? undefined : JSON.stringify(set);
  const [counted, setCounted] = useState<Counted>();
  useEffect(() => {
    if (setText === undefined) return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      services.ask(COUNT, { conditions: JSON.parse(setText) as JsonValue }, stop.signal).then(
        answer => setCounted({ of: setText, text: textOf((answer ?? {}) as JsonObject), failed: false }),
        (error: unknown) => {
          if (!stop.signal.aborted) setCounted({ of: setText, text: (error as Error).message, failed: true });
        },
      );
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [services, setText]);
  return (
    <p className="p-hint f-conditions-count" role="status">
      {setText === undefined
        ? t`Complete the conditions to see how many subscriptions match.`
        : counted?.of === setText
          ? counted.text
          : t`Counting …`}
    </p>
  );
}
