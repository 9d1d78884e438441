// Editors of filters that are typed: texts and ranges.
import { type ReactElement, useState, type FormEvent, useId } from 'react';
import { digitsOf } from '../../../domain/money/currency-digits.ts';
import { plainOf } from '../../form/fields/numbers.ts';
import { splitList, joinList, splitRange, joinRange } from '../../platform/list-query.ts';
import { useSession } from '../../platform/session/session.tsx';
import { useOptimisticValue } from '../use-optimistic-value.ts';
import { amountCurrency } from './filter-text.ts';
import { Options } from './options.tsx';
import type { Filter } from '../list-head.ts';
import { belowZero, hasMinus, noNumber, writeDecimal } from '../../../domain/text/typed-number.ts';
import { currencySymbol } from '../../../domain/money/money.ts';
import { t } from '../../../domain/text/t.ts';

export function Texts({ filter, onClose, ...given }: EditorProps): ReactElement {
  const [value, onChange] = useOptimisticValue(given.value, given.onChange);
  const [text, setText] = useState('');
  const chosen = splitList(value);
  const examples = (filter.schema.examples ?? filter.schema.items?.examples ?? []).filter((one): one is string => typeof one === 'string');
  const add = (item: string): void => {
    if (item.trim() && !chosen.includes(item.trim())) onChange(joinList([...chosen, item.trim()]));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add(text);
    setText('');
    if (text.trim()) onClose();
  };
  return (
    <>
      {examples.length > 0 && (
        <Options label={filter.title}>
          {[...new Set([...examples, ...chosen])].map(item => (
            <label key={item} className="p-menu-item">
              <input
                type="checkbox"
                className="p-check"
                checked={chosen.includes(item)}
                onChange={() => onChange(joinList(chosen.includes(item) ? chosen.filter(one => one !== item) : [...chosen, item]))}
              />
              {item}
            </label>
          ))}
        </Options>
      )}
      <form className="l-pop-form" onSubmit={submit}>
        <label className="p-field">
          <span className="p-label">{examples.length ? t`Another value` : t`Is`}</span>
          <input
            className="p-input p-input-s"
            value={text}
            onChange={event => setText(event.target.value)}
            autoFocus={examples.length === 0}
          />
        </label>
        <div className="p-row p-end">
          <button type="submit" className="p-btn p-btn-s p-btn-primary">
            {t`Apply`}
          </button>
        </div>
      </form>
    </>
  );
}

export function Range({ filter, value, currencies, onChange, onClose }: EditorProps): ReactElement {
  const { store } = useSession();
  const [from, to] = splitRange(value);
  const [low, setLow] = useState(writeDecimal(from));
  const [high, setHigh] = useState(writeDecimal(to));
  const id = useId();
  const currency = amountCurrency({ currencyCode: currencies ?? '' }, store.currency_code);
  const digits = filter.kind === 'money' && currency !== undefined ? digitsOf(currency) : undefined;
  const unit = filter.kind === 'money' ? currency : filter.schema['x-ui']?.unit;
  const units = [
    ...(unit === undefined ? [] : [unit]),
    ...(filter.kind === 'money' && currency !== undefined ? [currencySymbol(currency)] : []),
  ];
  /** A filter takes a number as it is typed: one that would lose its minus asks for something else. */
  const losesMinus = (text: string): boolean => hasMinus(text) && Number(plainOf(text, filter.schema, units) ?? 0) > 0;
  const plainIn = (text: string): string | undefined => (losesMinus(text) ? undefined : plainOf(text, filter.schema, units));
  const unread = [low, high].find(text => text.trim() !== '' && plainIn(text) === undefined);
  const tidy = (text: string): string => {
    const plain = plainIn(text) ?? '';
    return digits === undefined || plain === '' ? plain : String(Number(Number(plain).toFixed(digits)));
  };
  const wrong =
    unread !== undefined
      ? (losesMinus(unread) ? belowZero : noNumber)(unread)
      : tidy(low) !== '' && tidy(high) !== '' && Number(tidy(low)) > Number(tidy(high))
        ? t`The lower value is above the upper one.`
        : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (wrong) return;
    onChange(joinRange(tidy(low), tidy(high)));
    onClose();
  };
  const input = (label: string, text: string, set: (text: string) => void, focus: boolean): ReactElement => (
    <label className="p-field p-grow">
      <span className="p-label">{label}</span>
      <span className="p-affix l-affix-s">
        <input
          className="p-input"
          type="text"
          inputMode="decimal"
          autoComplete="off"
          value={text}
          onChange={event => set(event.target.value)}
          onBlur={() => plainIn(text) !== undefined && set(writeDecimal(tidy(text)))}
          autoFocus={focus}
          aria-invalid={wrong !== undefined && (unread ?? text) === text}
          aria-describedby={wrong ? id : undefined}
        />
        {unit && <span className="p-affix-text">{unit}</span>}
      </span>
    </label>
  );
  return (
    <form className="l-pop-form" onSubmit={submit}>
      <div className="p-row">
        {input(t`At least`, low, setLow, true)}
        {input(t`At most`, high, setHigh, false)}
      </div>
      {filter.kind === 'money' && !currencies && (
        <p className="p-hint">{t`Other currencies count by your store’s rates, unless you filter by currency.`}</p>
      )}
      {filter.kind === 'money' && currency === undefined && <p className="p-hint">{t`Counted in the currency of each subscription.`}</p>}
      {wrong && (
        <p id={id} className="p-error" role="alert">
          {wrong}
        </p>
      )}
      <div className="p-row p-end">
        <button type="submit" className="p-btn p-btn-s p-btn-primary">
          {t`Apply`}
        </button>
      </div>
    </form>
  );
}
/** `currencies`: what the list is filtered by in the field of this kind, which says what amounts are counted in. */

export interface EditorProps {
  filter: Filter;
  value: string;
  currencies?: string | undefined;
  onChange: (value: string) => void;
  onClose: () => void;
  onBack?: () => void;
}
