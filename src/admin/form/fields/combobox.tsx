// An input that finds its value in a list: local choices or records asked for as the person types. One value or several.
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { Check, ChevronsUpDown, X } from 'lucide-react';
import { initials } from '../../platform/format.ts';
import { useLatest } from '../engine/hooks.ts';
import { search } from './options.ts';
import type { Choice } from './options.ts';
import { Popover } from './popover.tsx';
import { Picture } from '../../ui/thumbnail.tsx';
import { t } from '../../../domain/text/t.ts';

export interface ComboboxProps {
  id: string;
  label: string;
  describedBy?: string | undefined;
  invalid?: boolean;
  required?: boolean;
  placeholder?: string;
  /** What is chosen now, in order. */
  chosen: readonly Choice[];
  multiple?: boolean;
  /** Local choices … */
  choices?: readonly Choice[];
  /** … or a question to the server, a page at a time. */
  load?: (text: string, page: number) => Promise<{ choices: Choice[]; hasMore: boolean }>;
  onPick: (choice: Choice) => void;
  onRemove?: (choice: Choice) => void;
  /** Given where nothing may be chosen: shows a cross. */
  onClear?: () => void;
  onLeave?: () => void;
  /** What the things are called: "No products match …" */
  things?: string;
  /** Offers to take the text itself ("Add “decaf”"). */
  onCreate?: (text: string) => void;
}

/** So many local choices are drawn at most; the rest is found by typing. */
const DRAWN = 500;

export function Combobox(props: ComboboxProps) {
  const { id, label, chosen, multiple = false, choices, load, onPick, onRemove, onClear, onLeave, onCreate, things = 'choices' } = props;
  const listId = useId();
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState<string>();
  const [active, setActive] = useState(0);
  const query = (text ?? '').trim();
  /**
   * The text for which Enter was pressed before its answer was there: what it finds is taken then, and
   * never what the text before it had found.
   */
  const [entered, setEntered] = useState<string>();
  const found = useFound(isOpen || entered !== undefined, query, choices, load);
  const single = multiple ? undefined : chosen[0];
  const chosenKeys = useMemo(() => new Set(chosen.map(choice => choice.key)), [chosen]);
  const canCreate =
    onCreate &&
    query &&
    !found.choices.some(choice => choice.title.toLowerCase() === query.toLowerCase()) &&
    !chosen.some(choice => choice.title.toLowerCase() === query.toLowerCase());
  const rows: Choice[] = canCreate ? [...found.choices, { key: '\0create', value: query, title: t`Add “${query}”` }] : found.choices;
  const current = rows[Math.min(active, rows.length - 1)];

  const open = () => {
    if (isOpen) return;
    setOpen(true);
    setActive(Math.max(0, single && choices ? choices.findIndex(choice => choice.key === single.key) : 0));
  };
  const close = () => {
    setOpen(false);
    setText(undefined);
    setEntered(undefined);
  };
  /** Going on to the next field does not take back an Enter whose answer is still on its way. */
  const leave = () => {
    if (entered === undefined) close();
    else setOpen(false);
  };
  const pick = (choice: Choice) => {
    if (choice.disabled) return;
    if (choice.key === '\0create') onCreate?.(query);
    else if (multiple && chosenKeys.has(choice.key)) onRemove?.(choice);
    else onPick(choice);
    if (multiple) setText(undefined);
    else close();
  };
  const pickHere = (choice: Choice) => {
    pick(choice);
    input.current?.focus();
  };
  const settle = useLatest(() => {
    setEntered(undefined);
    if (!found.isOld && entered === query && current) pick(current);
    else if (!isOpen) close();
  });
  const isSettled = entered !== undefined && (!found.isOld || found.failed !== undefined);
  useEffect(() => {
    if (isSettled) settle.current?.();
  }, [isSettled, settle]);

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      if (event.altKey && key === 'ArrowUp') return close();
      if (!isOpen) return open();
      setActive(at => (rows.length ? (Math.min(at, rows.length - 1) + (key === 'ArrowDown' ? 1 : -1) + rows.length) % rows.length : 0));
    } else if (isOpen && (key === 'PageDown' || key === 'PageUp')) {
      event.preventDefault();
      setActive(at => Math.max(0, Math.min(rows.length - 1, at + (key === 'PageDown' ? 8 : -8))));
    } else if (key === 'Enter' && isOpen) {
      event.preventDefault();
      if (found.isOld) setEntered(query);
      else if (current) pick(current);
    } else if (key === 'Enter' && onCreate && query) {
      event.preventDefault();
      onCreate(query);
      setText(undefined);
    } else if (key === 'Escape' && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (key === 'Backspace' && multiple && !text && chosen.length) {
      onRemove?.(chosen.at(-1)!);
    } else if (key === 'Tab') {
      leave();
    }
  };

  const shown = text ?? (single ? single.title : '');
  return (
    <div
      className={`p-affix f-combo${multiple ? ' f-combo-many' : ''}`}
      ref={box}
      onPointerDown={event => {
        if (event.target === box.current) {
          event.preventDefault();
          input.current?.focus();
          open();
        }
      }}
    >
      {multiple &&
        chosen.map(choice => (
          <span className="f-chip" key={choice.key}>
            <ChoiceImage choice={choice} small />
            <span className="p-cut">{choice.title}</span>
            <button
              type="button"
              className="f-chip-x"
              aria-label={t`Remove ${choice.title}`}
              onClick={() => {
                onRemove?.(choice);
                input.current?.focus();
              }}
            >
              <X size={12} aria-hidden="true" />
            </button>
          </span>
        ))}
      {single && !isOpen && (single.picture || single.person) && (
        <span className="f-combo-picture">
          <ChoiceImage choice={single} small />
        </span>
      )}
      <input
        ref={input}
        id={id}
        className="p-input"
        role="combobox"
        type="text"
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-required={props.required || undefined}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen && current ? `${listId}-${rows.indexOf(current)}` : undefined}
        aria-describedby={props.describedBy}
        aria-invalid={props.invalid || undefined}
        placeholder={multiple && chosen.length ? '' : (props.placeholder ?? (isOpen && single ? single.title : t`Search ${things}`))}
        value={isOpen && !multiple ? (text ?? '') : shown}
        onClick={open}
        onKeyDown={onKeyDown}
        onBlur={event => {
          if (!box.current?.contains(event.relatedTarget)) {
            leave();
            onLeave?.();
          }
        }}
        onChange={event => {
          setText(event.target.value);
          setActive(0);
          setOpen(true);
        }}
      />
      {onClear && single && (
        <button
          type="button"
          className="f-combo-clear"
          aria-label={t`Clear ${label}`}
          onClick={() => {
            onClear();
            input.current?.focus();
          }}
        >
          <X size={14} aria-hidden="true" />
        </button>
      )}
      <ChevronsUpDown
        className="f-combo-arrow"
        size={14}
        aria-hidden="true"
        onPointerDown={event => {
          event.preventDefault();
          input.current?.focus();
          if (isOpen) close();
          else open();
        }}
      />
      {isOpen && (
        <Popover anchor={box} onClose={leave} wide className="f-list-box">
          <div
            role="listbox"
            id={listId}
            aria-label={label}
            aria-multiselectable={multiple || undefined}
            className="f-list"
            onPointerDown={event => event.preventDefault()}
            onScroll={event => {
              const list = event.currentTarget;
              if (found.hasMore && list.scrollTop + list.clientHeight > list.scrollHeight - 60) found.more();
            }}
          >
            {rows.map((choice, index) => (
              <Row
                key={choice.key}
                id={`${listId}-${index}`}
                choice={choice}
                isActive={choice === current}
                isChosen={chosenKeys.has(choice.key)}
                onPick={() => pickHere(choice)}
                onHover={() => setActive(index)}
              />
            ))}
          </div>
          <FoundNote found={found} query={query} things={things} isEmpty={!rows.length} />
        </Popover>
      )}
    </div>
  );
}

function Row({
  id,
  choice,
  isActive,
  isChosen,
  onPick,
  onHover,
}: {
  id: string;
  choice: Choice;
  isActive: boolean;
  isChosen: boolean;
  onPick: () => void;
  onHover: () => void;
}) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <div
      ref={ref}
      id={id}
      role="option"
      aria-selected={isChosen}
      aria-disabled={choice.disabled || undefined}
      className="p-menu-item f-option"
      data-active={isActive}
      onClick={onPick}
      onPointerMove={isActive ? undefined : onHover}
    >
      <ChoiceImage choice={choice} />
      <span className="f-option-text">
        <span className="p-cut">{choice.title}</span>
        {choice.detail && <span className="p-hint p-cut">{choice.detail}</span>}
      </span>
      {isChosen && <Check size={16} aria-hidden="true" className="f-option-check" />}
    </div>
  );
}

/** The picture of a choice, or initials for people. */
export function ChoiceImage({ choice, small = false }: { choice: Choice; small?: boolean }): ReactNode {
  if (choice.picture) return <Picture src={choice.picture} className={small ? 'f-thumbnail-xs' : 'p-thumbnail-s'} />;
  if (choice.person)
    return (
      <span className={`p-avatar${small ? ' f-avatar-xs' : ''}`} aria-hidden="true">
        {initials(choice.title)}
      </span>
    );
  return null;
}

function FoundNote({ found, query, things, isEmpty }: { found: Found; query: string; things: string; isEmpty: boolean }) {
  let note = '';
  if (found.failed) note = t`${found.failed} Type again to retry.`;
  else if (found.isLoading) note = isEmpty ? t`Searching …` : '';
  else if (isEmpty) note = query ? t`No ${things} match “${query}”.` : t`There are no ${things} yet.`;
  else if (found.hidden) note = t`${found.hidden} more. Type to find them.`;
  return (
    <div className="f-list-note p-hint" role="status">
      {note}
    </div>
  );
}

interface Found {
  choices: Choice[];
  /** They were found by the text before this one. */ isOld: boolean;
  isLoading: boolean;
  hasMore: boolean;
  hidden: number;
  failed: string | undefined;
  more(): void;
}

/** What the text finds, here or at the server; questions wait for a pause in typing and late answers are dropped. */
function useFound(isOpen: boolean, query: string, local: readonly Choice[] | undefined, load: ComboboxProps['load']): Found {
  const [remote, setRemote] = useState<{ query: string; choices: Choice[]; hasMore: boolean; page: number } | undefined>();
  const [failed, setFailed] = useState<string>();
  const [asking, setAsking] = useState({ query: '', page: 1 });
  // Another text begins at its first page.
  const wanted = asking.query === query ? asking.page : 1;
  const lastRequest = useRef(0);
  const loader = useLatest(load);
  const isRemote = load !== undefined;

  useEffect(() => {
    if (!isOpen || !isRemote) return;
    const turn = (lastRequest.current += 1);
    const timer = setTimeout(
      () => {
        loader.current!(query, wanted).then(
          answer => {
            if (turn !== lastRequest.current) return;
            setFailed(undefined);
            setRemote(before => ({
              query,
              page: wanted,
              hasMore: answer.hasMore,
              choices: wanted > 1 && before?.query === query ? [...before.choices, ...answer.choices] : answer.choices,
            }));
          },
          (error: unknown) => {
            if (turn === lastRequest.current) setFailed(error instanceof Error ? error.message : String(error));
          },
        );
      },
      query && wanted === 1 ? 200 : 0,
    );
    return () => clearTimeout(timer);
  }, [isOpen, isRemote, query, wanted, loader]);

  const localFound = useMemo(() => (local && isOpen ? search(local, query) : []), [local, query, isOpen]);
  if (!isRemote)
    return {
      choices: localFound.slice(0, DRAWN),
      isOld: false,
      isLoading: false,
      hasMore: false,
      hidden: Math.max(0, localFound.length - DRAWN),
      failed: undefined,
      more: () => {},
    };
  const isLoading = remote?.query !== query || remote.page !== wanted;
  return {
    choices: remote?.choices ?? [],
    isOld: remote?.query !== query,
    isLoading,
    hasMore: remote?.hasMore ?? false,
    hidden: 0,
    failed,
    more: () => {
      if (!isLoading) setAsking({ query, page: (remote?.page ?? 0) + 1 });
    },
  };
}
