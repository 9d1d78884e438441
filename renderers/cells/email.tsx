// An e-mail address that copies.
export { default, looks } from './copy.tsx';
