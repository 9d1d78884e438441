// Text of programs; long ones are scrolled, by the keyboard too.
export const Code = ({ label, text }: { label: string; text: string }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached without a mouse
  <pre className="a-code" role="group" tabIndex={0} aria-label={label}>
    {text}
  </pre>
);
