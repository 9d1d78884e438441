/** Whether people type here on keys of their own: a phone would put its keyboard over what they came to see. */
export const hasKeyboard = (): boolean => matchMedia('(pointer: fine)').matches;
