// A table that may be wider than its place: it is moved sideways by mouse, finger and arrow keys.
import type { ReactElement, ReactNode } from 'react';

/** `label` names the place to people who reach it by keyboard: what the table holds. */
export const TableScroll = ({
  label,
  className = '',
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}): ReactElement => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keyboard
  <div className={`p-table-wrap ${className}`} tabIndex={0} role="region" aria-label={label}>
    {children}
  </div>
);
