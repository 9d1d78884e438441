// Why a subscription of a campaign gets no e-mail, in the words of the entity of its links.
import { useValidation } from '../../platform/validators.ts';

/** Says a fate of a letter; "" until the words are there. */
export function useFates(): (letter: string) => string {
  const fates = useValidation('entities/campaign-link')?.schema.properties?.letter?.oneOf;
  return letter => fates?.find(one => one.const === letter)?.title ?? '';
}
