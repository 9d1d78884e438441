// The product's mark: two leaves, one growing out of the other.
import type { ReactElement } from 'react';

export const Mark = ({ size = 24 }: { size?: number }): ReactElement => (
  <svg className="p-mark" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
    <rect width="24" height="24" rx="6" fill="#0f6655" />
    <path d="M13.2 10.8v2.3c0 3.8-2.9 6.7-8 6.7-.3 0-.5-.2-.5-.5 0-5.1 2.9-8.5 6.7-8.5Z" fill="#86d8c1" />
    <path d="M10.8 13.2v-2.3c0-3.8 2.9-6.7 8-6.7.3 0 .5.2.5.5 0 5.1-2.9 8.5-6.7 8.5Z" fill="#fff" />
  </svg>
);
