import type { E164 } from '../../domain/phone.ts';

/**
 * Ranges that regulators reserve for films, samples and tests. Nobody has these numbers, so a live service is never
 * asked to call them.
 */
const RANGES: Readonly<Record<string, readonly RegExp[]>> = {
  '+1': [
    // NANP: 555-0100 to 555-0199 in geographic area codes. In toll-free area codes 555 is not reserved.
    /^\+1(?!800|833|844|855|866|877|888)[2-9]\d{2}55501\d{2}$/,
  ],
  '+44': [
    // United Kingdom: Ofcom, telephone numbers for drama.
    /^\+44(?:11[3-8]|1[2-6]1)4960\d{3}$/,
    /^\+44(?:2079460|1914980|2890180|2896496|2920180|1632960)\d{3}$/,
    /^\+44(?:7700900|8081570|9098790|3069990)\d{3}$/,
  ],
  '+61': [
    // Australia: ACMA, numbers for use in radio, film and television.
    /^\+61[2378](?:5550|7010)\d{4}$/,
    /^\+614915(?:70(?:006|156|157|158|159|110|313|737)|71(?:266|491|804)|72(?:549|665|983))$/,
    /^\+614915(?:73(?:770|087)|74(?:118|632)|75(?:254|789)|76(?:398|801)|77(?:426|644))$/,
    /^\+614915(?:78(?:957|148|888)|79(?:212|760|455))$/,
    /^\+61(?:1800160401|18009757\d{2}|1900654321)$/,
  ],
  '+49': [
    // Germany: Bundesnetzagentur, Mitteilung 148/2021.
    /^\+49(?:3023125|4066969|6990009|8999998|2214710)\d{3}$/,
    /^\+49(?:17139200|176040690)\d{2}$/,
  ],
  '+33': [
    // France: ARCEP, decision 2018-0881.
    /^\+33(?:19900|26191|35301|46571|53649|63998)\d{4}$/,
  ],
  '+46': [
    // Sweden: 070-1740605 to 070-1740699. Ireland: 020 91x xxxx.
    /^\+46701740(?:60[5-9]|6[1-9]\d)$/,
  ],
  '+353': [/^\+3532091\d{5}$/],
};

/** True for a number in a range that is reserved for fiction. */
export function isFictional(phone: E164): boolean {
  // Called for every row, so patterns are tested only for the few calling codes that have such ranges.
  const ranges =
    phone[1] === '1' ? RANGES['+1'] : (RANGES[phone.slice(0, 3)] ?? RANGES[phone.slice(0, 4)]);
  return ranges !== undefined && ranges.some((range) => range.test(phone));
}
