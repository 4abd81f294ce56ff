import { readFileSync } from 'node:fs';
import {
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
  type CountryCode,
} from 'libphonenumber-js/max';

/** A fixed or mobile example number, of a country that has numbers. */
export interface Example {
  country: CountryCode;
  type: string;
  phone: string;
}

const COUNTRIES = getCountries();

/** The example numbers of all countries (see example-numbers.test.ts); they are read, never called. */
export function exampleNumbers(): Example[] {
  return readFileSync(`${import.meta.dirname}/expected/example-numbers.csv`, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .flatMap((row) => {
      const [region = '', type = '', phone = ''] = row.split(',');
      const country = COUNTRIES.find((one) => one === region);
      const isUsual = type === 'mobile' || type === 'fixedLine';
      return country === undefined || !isUsual ? [] : [{ country, type, phone }];
    });
}

/** A filler that Austria lists, and two that Benin has given up. */
export const OF_NOBODY: ReadonlySet<string> = new Set([
  '+431234567890',
  '+22981123456',
  '+22985751234',
]);

/** How people write a number: those that say their country, and those that do not. */
export function spellingsOf({ country, phone }: Example) {
  const code = getCountryCallingCode(country);
  const bare = phone.slice(code.length + 1);
  const number = parsePhoneNumberFromString(phone);
  const home = number?.formatNational() ?? bare;
  const abroad = number?.formatInternational() ?? phone;
  const dots = (text: string) => text.replace(/[^+\d]+/g, '.').replace(/^\.|\.$/g, '');
  return {
    abroad: {
      e164: phone,
      international: abroad,
      'international with dots': dots(abroad),
      '(0)': `+${code} (0)${bare}`,
      '(0) without spaces': `+${code}(0)${bare}`,
      '00': `00${phone.slice(1)}`,
      'code in parentheses': `(+${code}) ${bare}`,
      quoted: `"${phone}"`,
      curly: `\u201c${abroad}\u201d`,
      labelled: `Tel.: ${abroad}`,
      'labelled by one letter': `p:${phone}`,
      'with a word behind it': `${abroad} mobile`,
      'with a word in parentheses': `${phone} (Handy)`,
      tel: `tel:${phone}`,
      callto: `callto:${phone}`,
      whatsapp: `whatsapp:${phone}`,
      'link to a chat': `https://wa.me/${phone.slice(1)}`,
      'with another line': `${abroad} / 27`,
      'double plus': `++${phone.slice(1)}`,
      'plus and 00': `+00${phone.slice(1)}`,
    },
    home: {
      national: home,
      'national with dots': dots(home),
      'without its trunk prefix': bare,
      'country code without plus': `${code}${bare}`,
      "a spreadsheet's": `${code}${bare}.0`,
      labelled: `Phone: ${home}`,
    },
  };
}
