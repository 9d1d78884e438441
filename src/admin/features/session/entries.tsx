// Ways in, each a row to press: people of the demo, stores.
import type { ReactElement, ReactNode } from 'react';

export const Entries = ({ children }: { children: ReactNode }): ReactElement => <ul className="p-demo-users">{children}</ul>;

/** `picture` stands for the person or the store; `more` at the end of the row. */
export function Entry({
  picture,
  title,
  detail,
  more,
  disabled = false,
  isBusy = false,
  onPress,
}: {
  picture: ReactNode;
  title: string;
  detail?: string;
  more?: ReactNode;
  disabled?: boolean;
  isBusy?: boolean;
  onPress: () => void;
}): ReactElement {
  return (
    <li>
      <button type="button" className="p-demo-user" disabled={disabled} aria-busy={isBusy} onClick={onPress}>
        <span className="p-avatar" aria-hidden="true">
          {picture}
        </span>
        <span className="p-grow">
          <span className="p-cut p-strong">{title}</span>
          {detail !== undefined && <span className="p-cut p-hint">{detail}</span>}
        </span>
        {more}
      </button>
    </li>
  );
}
