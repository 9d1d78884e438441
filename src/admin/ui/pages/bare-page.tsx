// Pages without the frame: before a person is signed in, and where the admin could not start.
import type { ReactElement, ReactNode } from 'react';
import { Mark } from '../logo.tsx';

/** The product's name, and the cards of the page below it. */
export const BarePage = ({ children }: { children: ReactNode }): ReactElement => (
  <main className="p-bare" id="main">
    <div className="p-bare-brand">
      <Mark size={32} />
      Perennial
    </div>
    {children}
  </main>
);
