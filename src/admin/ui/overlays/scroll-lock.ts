// Keeps the page still while something lies over it.
import { useEffect } from 'react';

/** While the component stands, the page below does not scroll; what its scroll bar took stays empty, so that nothing moves. */
export function useScrollLock(): void {
  useEffect(() => {
    const locked = [document.documentElement, document.querySelector<HTMLElement>('.p-main')].filter(
      (one): one is HTMLElement => one !== null,
    );
    const before = locked.map(element => {
      const { overflow, paddingRight } = element.style;
      const bar =
        element === document.documentElement ? window.innerWidth - element.clientWidth : element.offsetWidth - element.clientWidth;
      element.style.overflow = 'hidden';
      if (bar > 0) element.style.paddingRight = `${bar}px`;
      return { element, overflow, paddingRight };
    });
    return () => {
      for (const { element, overflow, paddingRight } of before) Object.assign(element.style, { overflow, paddingRight });
    };
  }, []);
}
