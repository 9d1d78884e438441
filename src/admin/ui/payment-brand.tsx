// Small marks of payment brands (D039), drawn as cards of one size so that rows of them line up. They only
// accompany the name that stands beside them.
import type { ReactElement, ReactNode } from 'react';
import type { PaymentBrand } from '../../domain/text/card.ts';

const INK = { blue: '#1a3a8f', navy: '#0e4595', red: '#eb001b', orange: '#f79e1b', amex: '#1f72cd', purple: '#5a31f4' } as const;
const word = (text: string, fill: string, size: number, more: { x?: number; y?: number; italic?: boolean } = {}): ReactElement => (
  <text
    x={more.x ?? 15}
    y={more.y ?? 10 + size * 0.36}
    textAnchor="middle"
    fontFamily="Inter, Arial, sans-serif"
    fontWeight="800"
    fontSize={size}
    fill={fill}
    {...(more.italic ? { fontStyle: 'italic' } : {})}
  >
    {text}
  </text>
);

const MARKS: Record<PaymentBrand, { back: string; mark: ReactNode }> = {
  visa: { back: '#fff', mark: word('VISA', INK.blue, 9, { italic: true }) },
  mastercard: {
    back: '#fff',
    mark: (
      <>
        <circle cx="11.5" cy="10" r="5.6" fill={INK.red} />
        <circle cx="18.5" cy="10" r="5.6" fill={INK.orange} />
        <path d="M15 5.63a5.6 5.6 0 0 1 0 8.74 5.6 5.6 0 0 1 0-8.74z" fill="#ff5f00" />
      </>
    ),
  },
  maestro: {
    back: '#fff',
    mark: (
      <>
        <circle cx="11.5" cy="10" r="5.6" fill="#0099df" />
        <circle cx="18.5" cy="10" r="5.6" fill={INK.red} />
        <path d="M15 5.63a5.6 5.6 0 0 1 0 8.74 5.6 5.6 0 0 1 0-8.74z" fill="#6c6bbd" />
      </>
    ),
  },
  amex: { back: INK.amex, mark: word('AMEX', '#fff', 8) },
  discover: {
    back: '#fff',
    mark: (
      <>
        <path d="M30 12v6a2 2 0 0 1-2 2H14c7-1.6 12.4-4.2 16-8z" fill="#ee7623" />
        <circle cx="19" cy="8.4" r="2.8" fill="#ee7623" />
        {word('DIS', '#231f20', 6.5, { x: 9.5, y: 10.8 })}
      </>
    ),
  },
  paypal: {
    back: '#fff',
    mark: (
      <>
        <path d="M12.8 4h4.700c2.5 0 3.9 1.3 3.5 3.6-.45 2.7-2.3 4-4.9 4h-1.500l-.65 3.900h-3z" fill="#009cde" />
        <path d="M11 3h4.700c2.5 0 3.9 1.3 3.5 3.6-.45 2.7-2.3 4-4.9 4h-1.500l-.65 3.900h-3z" fill="#003087" />
      </>
    ),
  },
  shoppay: { back: INK.purple, mark: word('shop', '#fff', 9, { y: 12.4 }) },
  jcb: {
    back: '#fff',
    mark: (
      <>
        <rect x="6" y="4" width="5" height="12" rx="2" fill="#0e4c96" />
        <rect x="12.5" y="4" width="5" height="12" rx="2" fill="#d41735" />
        <rect x="19" y="4" width="5" height="12" rx="2" fill="#00873f" />
        {word('J', '#fff', 5, { x: 8.5 })}
        {word('C', '#fff', 5)}
        {word('B', '#fff', 5, { x: 21.5 })}
      </>
    ),
  },
  dinersclub: {
    back: '#fff',
    mark: (
      <>
        <circle cx="15" cy="10" r="6.5" fill={INK.navy} />
        <path d="M13.8 5.700a4.5 4.5 0 0 0 0 8.600zM16.2 5.700a4.5 4.5 0 0 1 0 8.600z" fill="#fff" />
      </>
    ),
  },
  unionpay: {
    back: '#fff',
    mark: (
      <>
        <path d="M7.5 4h5.500l-2.6 12H5z" fill="#e21836" />
        <path d="M13.6 4h5.500l-2.6 12H11z" fill="#00447c" />
        <path d="M19.7 4H25l-2.5 12H17z" fill="#007b84" />
      </>
    ),
  },
  bogus: { back: '#fff', mark: word('TEST', '#5b6b67', 7.5) },
  others: {
    back: '#fff',
    mark: (
      <>
        <rect x="4" y="6" width="22" height="3.2" fill="#8a9794" />
        <rect x="4" y="12.5" width="9" height="2" rx="1" fill="#8a9794" />
      </>
    ),
  },
};

/** The mark of a brand; a plain card for one that is unknown or not loaded yet. */
export function PaymentBrandIcon({ brand, width = 30 }: { brand: string | undefined; width?: number }): ReactElement {
  const { back, mark } = MARKS[brand !== undefined && Object.hasOwn(MARKS, brand) ? (brand as PaymentBrand) : 'others'];
  return (
    <svg
      className="p-brand-mark"
      width={width}
      height={(width * 2) / 3}
      viewBox="0 0 30 20"
      aria-hidden="true"
      data-brand={brand ?? 'others'}
    >
      <rect x="0.5" y="0.5" width="29" height="19" rx="2.5" fill={back} stroke="#d5dcda" />
      {mark}
    </svg>
  );
}
