// Choosing among many records in a dialog: search, tick, and the records' own parts below them (the variants of a product).
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { ChevronRight, Search } from 'lucide-react';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { choiceOf, remember } from './records.ts';
import { keyOf } from './options.ts';
import type { EntityDisplay, FormServices, Listing } from './widget.ts';
import { Picture } from '../../ui/thumbnail.tsx';
import { t } from '../../../domain/text/t.ts';

/** What is ticked: whole records, and parts of records. */
export interface Picked {
  whole: JsonValue[];
  parts: JsonValue[];
}

export interface PickerDialogProps {
  title: string;
  of: string;
  services: FormServices;
  picked: Picked;
  onDone: (picked: Picked) => void;
  onClose: () => void;
  multiple: boolean;
  filter?: JsonObject;
  /** The read that lists the records, instead of the entity's own. */
  by?: Listing;
  /** Stands above the first record that says it. */
  headingOf?: (record: JsonObject) => string | undefined;
  /** A word on a record or part, such as that it is the present one. */
  noteOf?: (record: JsonObject) => string | undefined;
  /** The parts of a record and how they look; absent where records have none. */
  partsOf?: (record: JsonObject) => Promise<JsonObject[]>;
  partLooks?: EntityDisplay;
  partCount?: (record: JsonObject) => number;
  /** Which of both can be chosen. */
  takes?: 'whole' | 'parts' | 'both';
  /** Why a record can't be chosen. */
  refuses?: (record: JsonObject) => string | undefined;
  aside?: (record: JsonObject) => ReactNode;
}

const has = (list: readonly JsonValue[], id: JsonValue) => list.some(one => keyOf(one) === keyOf(id));
const without = (list: readonly JsonValue[], ids: readonly JsonValue[]) => list.filter(one => !has(ids, one));
const idOf = (record: JsonObject, looks: EntityDisplay): JsonValue => record[looks.key] ?? record.id ?? null;

export function PickerDialog({
  title,
  of,
  services,
  picked,
  onDone,
  onClose,
  multiple,
  filter,
  by,
  headingOf,
  noteOf,
  partsOf,
  partLooks,
  partCount,
  takes = 'whole',
  refuses,
  aside,
}: PickerDialogProps) {
  const looks = services.looks(of);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(picked);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [parts, setParts] = useState<Record<string, JsonObject[]>>({});
  const { items, isLoading, hasMore, more, failed } = useRecordPages(services, of, text.trim(), filter, by);

  const loadParts = async (record: JsonObject): Promise<JsonObject[]> => {
    const key = keyOf(idOf(record, looks));
    if (parts[key]) return parts[key];
    const loaded = (await partsOf?.(record)) ?? [];
    setParts(before => ({ ...before, [key]: loaded }));
    return loaded;
  };
  const expand = (record: JsonObject) => {
    const key = keyOf(idOf(record, looks));
    setOpen(before => {
      const next = new Set(before);
      if (!next.delete(key)) next.add(key);
      return next;
    });
    void loadParts(record);
  };
  const partIds = (list: JsonObject[]) => (partLooks ? list.map(part => idOf(part, partLooks)) : []);

  const tickWhole = async (record: JsonObject, on: boolean) => {
    const id = idOf(record, looks);
    if (takes === 'parts') {
      const ids = partIds(await loadParts(record));
      setChosen(before => ({
        whole: [],
        parts: on ? [...without(before.parts, ids), ...(multiple ? ids : ids.slice(0, 1))] : without(before.parts, ids),
      }));
      return;
    }
    const ids = partsOf ? partIds(parts[keyOf(id)] ?? []) : [];
    setChosen(before =>
      multiple
        ? { whole: on ? [...before.whole, id] : without(before.whole, [id]), parts: without(before.parts, ids) }
        : { whole: on ? [id] : [], parts: [] },
    );
  };
  const tickPart = (record: JsonObject, part: JsonObject, on: boolean) => {
    const id = idOf(part, partLooks!);
    const whole = idOf(record, looks);
    setChosen(before => {
      if (!multiple) return { whole: [], parts: on ? [id] : [] };
      // Ticking a part off a whole record leaves its other parts.
      if (!on && has(before.whole, whole))
        return { whole: without(before.whole, [whole]), parts: [...before.parts, ...without(partIds(parts[keyOf(whole)] ?? []), [id])] };
      return { whole: before.whole, parts: on ? [...before.parts, id] : without(before.parts, [id]) };
    });
  };
  const count = chosen.whole.length + chosen.parts.length;
  const foot = (
    <>
      <span className="p-muted f-picker-count" role="status">
        {count ? t`${count} selected` : t`Nothing selected`}
      </span>
      <button type="button" className="p-btn" onClick={onClose}>
        {t.as('dialog')`Cancel`}
      </button>
      <button type="button" className="p-btn p-btn-primary" onClick={() => onDone(chosen)}>
        {multiple ? t`Done` : t`Choose`}
      </button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} size="m" foot={foot}>
      <div className="f-picker-search p-affix">
        <span className="p-affix-text">
          <Search aria-hidden="true" />
        </span>
        <input
          className="p-input"
          type="search"
          aria-label={t`Search ${looks.many}`}
          placeholder={t`Search ${looks.many}`}
          autoFocus
          value={text}
          onChange={event => setText(event.target.value)}
        />
      </div>
      <ul
        className="f-picker"
        aria-label={looks.many}
        aria-busy={isLoading}
        onScroll={event => {
          const list = event.currentTarget;
          if (hasMore && list.scrollTop + list.clientHeight > list.scrollHeight - 120) more();
        }}
      >
        {items.map((record, index) => {
          const heading = headingOf?.(record);
          const isFirst = heading !== undefined && (index === 0 || headingOf?.(items[index - 1]!) !== heading);
          const choice = choiceOf(record, looks);
          const refusal = refuses?.(record);
          const known = parts[choice.key];
          const mine = known ? partIds(known).filter(id => has(chosen.parts, id)) : [];
          const isWhole =
            has(chosen.whole, choice.value) ||
            (takes === 'parts' && known !== undefined && known.length > 0 && mine.length === known.length);
          const canExpand = partsOf !== undefined && takes !== 'whole' && (partCount?.(record) ?? 2) > 1;
          return (
            <li key={choice.key}>
              {isFirst && <p className="p-hint f-picker-heading">{heading}</p>}
              <div className="f-picker-row">
                <label className="p-choice f-picker-choice">
                  <Tick
                    isSome={mine.length > 0 && !isWhole}
                    checked={isWhole}
                    multiple={multiple}
                    disabled={refusal !== undefined}
                    onChange={on => void tickWhole(record, on)}
                  />
                  <Picture src={choice.picture} />
                  <span className="f-choice-text">
                    <span className="p-cut">{choice.title}</span>
                    {refusal ? (
                      <span className="p-hint">{refusal}</span>
                    ) : (
                      <Hint
                        text={
                          mine.length > 0 && known && !isWhole
                            ? multiple
                              ? t`${mine.length} of ${known.length} ${partLooks!.many} selected`
                              : choiceOf(
                                  known.find(part => has(mine, idOf(part, partLooks!)))!,
                                  partLooks!,
                                ).title
                            : noteOf?.(record)
                        }
                      />
                    )}
                  </span>
                </label>
                {aside && <span className="p-muted p-tabular">{aside(record)}</span>}
                {canExpand && (
                  <button
                    type="button"
                    className="p-icon-btn p-icon-btn-s f-picker-more"
                    aria-expanded={open.has(choice.key)}
                    aria-label={t`${partLooks!.many} of ${choice.title}`}
                    disabled={refusal !== undefined}
                    onClick={() => expand(record)}
                  >
                    <ChevronRight aria-hidden="true" />
                  </button>
                )}
              </div>
              {open.has(choice.key) && (
                <ul className="f-picker-parts" aria-label={t`${partLooks!.many} of ${choice.title}`}>
                  {!known && <li className="p-hint">{t`Loading …`}</li>}
                  {known?.map(part => {
                    const one = choiceOf(part, partLooks!);
                    const hint = [noteOf?.(part), one.detail].filter(Boolean).join(' · ');
                    return (
                      <li key={one.key} className="f-picker-row">
                        <label className="p-choice f-picker-choice">
                          <Tick
                            checked={isWhole && takes !== 'parts' ? true : has(chosen.parts, one.value)}
                            multiple={multiple}
                            onChange={on => tickPart(record, part, on)}
                          />
                          <span className="f-choice-text">
                            <span className="p-cut">{one.title}</span>
                            {hint && <span className="p-hint">{hint}</span>}
                          </span>
                        </label>
                        {aside && <span className="p-muted p-tabular">{aside(part)}</span>}
                      </li>
                    );
                  })}
                </ul>
              )}
            </li>
          );
        })}
      </ul>
      <p className="p-hint f-picker-note" role="status">
        {failed ??
          (isLoading
            ? items.length
              ? ''
              : t`Loading …`
            : items.length
              ? ''
              : text
                ? t`No ${looks.many} match “${text}”.`
                : t`There are no ${looks.many} yet.`)}
      </p>
    </Dialog>
  );
}

const Hint = ({ text }: { text: string | undefined }) => (text ? <span className="p-hint">{text}</span> : null);

function Tick({
  checked,
  isSome = false,
  multiple,
  disabled,
  onChange,
}: {
  checked: boolean;
  isSome?: boolean;
  multiple: boolean;
  disabled?: boolean;
  onChange: (on: boolean) => void;
}) {
  const set = useCallback(
    (element: HTMLInputElement | null) => {
      if (element) element.indeterminate = isSome;
    },
    [isSome],
  );
  return (
    <input
      type="checkbox"
      className={multiple ? 'p-check' : 'p-check f-round'}
      ref={set}
      checked={checked}
      disabled={disabled}
      onChange={event => onChange(event.target.checked)}
    />
  );
}

/** Pages of records for a text; the next page is asked for when the list's end comes near. */
function useRecordPages(services: FormServices, of: string, text: string, filter: JsonObject | undefined, by: Listing | undefined) {
  const [state, setState] = useState<{ items: JsonObject[]; hasMore: boolean; page: number; isLoading: boolean; failed?: string }>({
    items: [],
    hasMore: false,
    page: 0,
    isLoading: true,
  });
  const turn = useRef(0);
  const filterKey = JSON.stringify([filter ?? null, by ?? null]);
  const ask = useCallback(
    async (page: number) => {
      const now = (turn.current += 1);
      setState(before => ({ ...before, isLoading: true }));
      try {
        const [parsed, listing] = JSON.parse(filterKey) as [JsonObject | null, Listing | null];
        const { items, hasMore } = await services.find(of, {
          page,
          pageSize: 30,
          ...(text ? { q: text } : {}),
          ...(parsed ? { filter: parsed } : {}),
          ...(listing ? { by: listing } : {}),
        });
        if (now !== turn.current) return;
        remember(services, of, items);
        setState(before => ({ items: page === 1 ? items : [...before.items, ...items], hasMore, page, isLoading: false }));
      } catch (error) {
        if (now === turn.current)
          setState(before => ({ ...before, isLoading: false, failed: error instanceof Error ? error.message : String(error) }));
      }
    },
    [services, of, text, filterKey],
  );
  useEffect(() => {
    const timer = setTimeout(() => void ask(1), text ? 200 : 0);
    return () => {
      clearTimeout(timer);
      turn.current += 1;
    };
  }, [ask, text]);
  return {
    ...state,
    more: () => {
      if (!state.isLoading) void ask(state.page + 1);
    },
  };
}
