/** What rjsf's props ask for and our fields never read: values and changes go through the store. */
export const unusedRjsfProp = { formData: undefined, onChange: () => {}, onBlur: () => {}, onFocus: () => {} };
