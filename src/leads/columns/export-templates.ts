import { foldWords } from '../../text/fold-words.ts';

/**
 * Exports of well-known programs in which the headers alone would leave two phone columns equally good. `has`: headers
 * that a list must all have to be such an export; `phones`: its phone columns in calling order, the person's own number
 * before that of a delivery address. Headers are written as by `foldWords`.
 *
 * Sources are the columns that these programs document: Shopify (customers and orders, help.shopify.com),
 * VICIdial (standard lead loader fields), WooCommerce (order export), HubSpot (default contact properties),
 * Salesforce (Lead and Contact objects), Pipedrive, Zoho CRM, Google Contacts, Outlook, Mailchimp, Freshsales,
 * GoHighLevel; as of 2026. The first one that fits is taken.
 */
const EXPORT_TEMPLATES: Readonly<Record<string, readonly [has: string, phones: string]>> = {
  'Shopify, customers': [
    'first name|last name|default address phone',
    'phone|default address phone',
  ],
  'Shopify, orders': [
    'billing phone|shipping phone|financial status',
    'phone|billing phone|shipping phone',
  ],
  'an app for exports of Shopify, addresses': [
    'billing address phone|shipping address phone',
    'customer phone|phone|billing address phone|shipping address phone',
  ],
  'VICIdial, leads': ['phone code|phone number|alt phone', 'phone number|alt phone|address3'],
  'WooCommerce, apps for exports of Shopify, and their like': [
    'billing phone|shipping phone',
    'customer phone|phone|billing phone|shipping phone',
  ],
  'WooCommerce, customers': ['billing phone|billing email', 'phone|billing phone|shipping phone'],
  HubSpot: ['record id|phone number', 'mobile phone number|phone number|whatsapp phone number'],
  'Salesforce, leads and contacts by their labels': [
    'lead source|phone|mobile',
    'mobile|phone|business phone|home phone|other phone',
  ],
  'Salesforce, leads and contacts by the names of the API': [
    'mobile phone|lead source|phone',
    'mobile phone|phone|home phone|other phone',
  ],
  Pipedrive: [
    'person name|person phone',
    'person phone mobile|person phone|person phone work|person phone home',
  ],
  'Zoho CRM': [
    'record id|lead owner|phone|mobile',
    'mobile|phone|home phone|secondary phone|other phone',
  ],
  'Zoho CRM, contacts': [
    'contact owner|contact name|phone|mobile',
    'mobile|phone|home phone|other phone',
  ],
  'Google Contacts': [
    'phone 1 value|phone 2 value',
    'phone 1 value|phone 2 value|phone 3 value|phone 4 value|phone 5 value',
  ],
  Outlook: [
    'business phone|home phone|mobile phone|radio phone',
    'mobile phone|primary phone|business phone|business phone 2|home phone|home phone 2|car phone|radio phone|other phone|company main phone',
  ],
  Mailchimp: [
    'email address|leid|euid',
    'phone|phone number|sms phone|sms phone number|mobile|mobile phone',
  ],
  Freshsales: ['mobile|work|other phone numbers', 'mobile|work|other phone numbers'],
  GoHighLevel: ['contact id|phone|additional phones', 'phone|mobile phone|additional phones'],
  'Amazon, orders': [
    'buyer phone number|ship phone number',
    'buyer phone number|ship phone number',
  ],
};

/**
 * The phone columns of a well-known export, in the order in which they are called; undefined for any other list.
 *
 * @param headers all headers of the list
 */
export function templatePhones(headers: readonly string[]): number[] | undefined {
  const folded = headers.map(foldWords);
  const indexesOf = (names: string) => names.split('|').map((name) => folded.indexOf(name));
  const fits = Object.values(EXPORT_TEMPLATES).find(([has]) => !indexesOf(has).includes(-1));
  return fits && indexesOf(fits[1]).filter((index) => index !== -1);
}
