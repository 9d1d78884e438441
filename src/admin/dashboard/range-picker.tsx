// The button that chooses the days of a page; they live in its address, so that a link shows the same.
import { CalendarDays, ChevronDown } from 'lucide-react';
import type { ReactElement } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Compared } from '../../domain/calendar/plain-days.ts';
import { useChunk } from '../platform/chunk.ts';
import { DEFAULT_RANGE } from '../platform/date-range.ts';
import { PopoverButton } from '../ui/overlays/menu.tsx';
import { plainDay } from '../platform/format.ts';
import { extras } from '../list/extras-chunk.ts';
import { PRESETS } from '../platform/list-query.ts';
import { t } from '../../domain/text/t.ts';

export function RangeButton({ days }: { days: Compared }): ReactElement {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const params = new URLSearchParams(search);
  const value = params.get('range') ?? DEFAULT_RANGE;
  const words = PRESETS[value]?.title ?? t`${plainDay(days.startDate)} to ${plainDay(days.endDate)}`;
  const choose = (next: string): void => {
    if (next === DEFAULT_RANGE || next === '') params.delete('range');
    else params.set('range', next);
    void navigate({ pathname, search: params.toString() });
  };
  return (
    <PopoverButton
      label={t`Days: ${words}`}
      className="p-btn"
      align="end"
      needs={extras}
      button={
        <>
          <CalendarDays aria-hidden="true" />
          <span>{words}</span>
          <ChevronDown aria-hidden="true" />
        </>
      }
    >
      {close => (
        <div className="l-pop">
          <div className="l-pop-head">
            <h2>{t`Days`}</h2>
          </div>
          <Editor value={value} onChange={choose} onClose={close} />
        </div>
      )}
    </PopoverButton>
  );
}

function Editor(props: { value: string; onChange: (value: string) => void; onClose: () => void }): ReactElement | null {
  const parts = useChunk(extras);
  return parts ? <parts.DaysEditor title={t`Days`} {...props} /> : null;
}
