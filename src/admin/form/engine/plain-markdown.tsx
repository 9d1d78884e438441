// Stands in for the Markdown library that rjsf's own templates use. We draw none of those templates, and the
// library is a quarter of the form's code.
import type { ReactNode } from 'react';

export function Markdown({ children }: { children?: ReactNode }) {
  return <>{children}</>;
}
