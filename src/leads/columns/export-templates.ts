import { foldWords } from './header-words.ts';

/** How a program writes its own exports, where the names alone leave two numbers equally good. */
interface ExportTemplate {
  /** The program, and which of its exports. */
  from: string;
  /** Headers by which it is known, all of them, as `foldWords` writes them. */
  has: readonly string[];
  /** Columns of numbers in the order in which they are called: the person's own before that of a parcel. */
  phones: readonly string[];
}

/**
 * By the columns that these programs document for their exports: Shopify (customers and orders, help.shopify.com),
 * VICIdial (standard lead loader fields), WooCommerce (order export), HubSpot (default contact properties),
 * Salesforce (Lead and Contact objects), Pipedrive, Zoho CRM, Google Contacts, Outlook, Mailchimp, Freshsales,
 * GoHighLevel; as of 2026. The first one that fits is taken.
 */
export const EXPORT_TEMPLATES: readonly ExportTemplate[] = [
  {
    from: 'Shopify, customers',
    has: split('first name|last name|default address phone'),
    phones: split('phone|default address phone'),
  },
  {
    from: 'Shopify, orders',
    has: split('billing phone|shipping phone|financial status'),
    phones: split('phone|billing phone|shipping phone'),
  },
  {
    from: 'an app for exports of Shopify',
    has: split('customer phone|billing phone|shipping phone'),
    phones: split('customer phone|phone|billing phone|shipping phone'),
  },
  {
    from: 'an app for exports of Shopify, addresses',
    has: split('billing address phone|shipping address phone'),
    phones: split('customer phone|phone|billing address phone|shipping address phone'),
  },
  {
    from: 'VICIdial, leads',
    has: split('phone code|phone number|alt phone'),
    phones: split('phone number|alt phone|address3'),
  },
  {
    from: 'WooCommerce and its like',
    has: split('billing phone|shipping phone'),
    phones: split('phone|customer phone|billing phone|shipping phone'),
  },
  {
    from: 'WooCommerce, customers',
    has: split('billing phone|billing email'),
    phones: split('phone|billing phone|shipping phone'),
  },
  {
    from: 'HubSpot',
    has: split('record id|phone number'),
    phones: split('mobile phone number|phone number|whatsapp phone number'),
  },
  {
    from: 'Salesforce, leads and contacts by their labels',
    has: split('lead source|phone|mobile'),
    phones: split('mobile|phone|business phone|home phone|other phone'),
  },
  {
    from: 'Salesforce, leads and contacts by the names of the API',
    has: split('mobile phone|lead source|phone'),
    phones: split('mobile phone|phone|home phone|other phone'),
  },
  {
    from: 'Pipedrive',
    has: split('person name|person phone'),
    phones: split('person phone mobile|person phone|person phone work|person phone home'),
  },
  {
    from: 'Zoho CRM',
    has: split('record id|lead owner|phone|mobile'),
    phones: split('mobile|phone|home phone|secondary phone|other phone'),
  },
  {
    from: 'Zoho CRM, contacts',
    has: split('contact owner|contact name|phone|mobile'),
    phones: split('mobile|phone|home phone|other phone'),
  },
  {
    from: 'Google Contacts',
    has: split('phone 1 value|phone 2 value'),
    phones: split('phone 1 value|phone 2 value|phone 3 value|phone 4 value|phone 5 value'),
  },
  {
    from: 'Outlook',
    has: split('business phone|home phone|mobile phone|radio phone'),
    phones: split(
      'mobile phone|primary phone|business phone|business phone 2|home phone|home phone 2|car phone|radio phone|other phone|company main phone',
    ),
  },
  {
    from: 'Mailchimp',
    has: split('email address|leid|euid'),
    phones: split('phone|phone number|sms phone|sms phone number|mobile|mobile phone'),
  },
  {
    from: 'Freshsales',
    has: split('mobile|work|other phone numbers'),
    phones: split('mobile|work|other phone numbers'),
  },
  {
    from: 'GoHighLevel',
    has: split('contact id|phone|additional phones'),
    phones: split('phone|mobile phone|additional phones'),
  },
  {
    from: 'Amazon, orders',
    has: split('buyer phone number|ship phone number'),
    phones: split('buyer phone number|ship phone number'),
  },
];

/**
 * The columns of numbers of a well-known export, in the order in which they are called; undefined for any other list.
 *
 * @param headers of the list, all of them
 */
export function templatePhones(headers: readonly string[]): number[] | undefined {
  const folded = headers.map(foldWords);
  const fits = EXPORT_TEMPLATES.find(({ has }) => has.every((name) => folded.includes(name)));
  const indexes = fits?.phones.map((name) => folded.indexOf(name)).filter((index) => index !== -1);
  return indexes;
}

function split(names: string): string[] {
  return names.split('|');
}
