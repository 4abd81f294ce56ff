import type { ListField } from '../domain/list-mapping.ts';

/**
 * Names under which lists carry what callsheet knows, as `plainHeader` writes them: those of HubSpot, Salesforce,
 * GoHighLevel, Pipedrive, Close, Apollo, Mailchimp, Google Contacts, Outlook and Zoho, and the words of a dozen
 * languages. The better ones first.
 */
export const FIELD_NAMES: Readonly<Record<ListField, readonly string[]>> = {
  firstName: split(
    'first name|firstname|fname|given name|forename|person first name|vorname|prénom|prenom|nombre|voornaam|förnamn|fornavn|imię|nome|名|имя|first|nombres|primer nombre|primeiro nome|etunimi|पहला नाम|الاسم الأول',
  ),
  lastName: split(
    'last name|lastname|lname|surname|family name|person last name|nachname|nom de famille|nom|apellidos|apellido|cognome|sobrenome|achternaam|efternamn|efternavn|etternavn|nazwisko|姓|фамилия|last|primer apellido|apellido paterno|último nome|sukunimi|성|उपनाम|اسم العائلة',
  ),
  name: split(
    'name|full name|fullname|contact name|display name|lead name|person name|primary contact name|customer name|customer|contact|氏名|名前|お名前|姓名|이름|नाम|фио|nombre completo|nombre y apellidos|nom complet|nom et prénom|nome completo|nome e cognome|vor und nachname|vollständiger name|naam|namn|navn|koko nimi|nimi|imię i nazwisko|성명|पूरा नाम|الاسم الكامل|الاسم|имя и фамилия',
  ),
  company: split(
    'company|company name|account name|associated company|business name|business name company|organization name|organization|organisation|person organization|firma|société|societe|empresa|azienda|bedrijf|företag|会社|会社名|公司|회사|компания|firmenname|unternehmen|entreprise|compañía|razón social|nome da empresa|ragione sociale|bedrijfsnaam|virksomhed|bedrift|yritys|nazwa firmy|企業名|公司名称|회사명|कंपनी|شركة|الشركة|организация',
  ),
  email: split(
    'email|email address|email id|e mail|e mail address|mail|person email work|person email|e mail 1 value|primary contact primary email|correo|correo electrónico|mél|courriel|メール|メールアドレス|邮箱|이메일',
  ),
  externalId: split(
    'external id|record id|contact id|lead id|customer id|client id|person id|apollo contact id|contact key|leid|euid|crm id|kundennummer|kundennr|kdnr|kd nr|kunden nr|customer no|customer number|numéro client|n client|código cliente|顧客番号|id',
  ),
  timezone: split('timezone|time zone|tz|iana time zone|zeitzone|zona horaria'),
  state: split(
    'state|province|region|state region|state province|mailing state province|mailing state|business state|address 1 region|home state|bundesland|provincia|都道府県',
  ),
  postalCode: split(
    'postal code|postcode|zip code|zip|zipcode|mailing zip postal code|business postal code|address 1 postal code|plz|code postal|código postal|cap|postnummer|pin code|pincode|郵便番号|邮编|индекс',
  ),
  country: split(
    'country|country code|country iso|iso country|country region|mailing country|business country region|address 1 country|cc|land|pays|país|pais|paese|kraj|dial code|calling code|country calling code|ländervorwahl|国|国名|国家|국가|देश|страна',
  ),
};

/** Names of columns by which a person asked not to be called. */
export const DO_NOT_CALL_NAMES: ReadonlySet<string> = new Set(
  split(
    'do not call|donotcall|dnc|dnd|do not contact|do not phone|no calls|unsubscribed|unsubscribe|opt out|opted out|optout|phone opt out|call opt out|opted out of calls|has opted out of calls|unsub time|opt out date|nicht anrufen|bitte nicht anrufen|ne pas appeler|no llamar|non chiamare|niet bellen|não ligar|架電禁止|電話不可',
  ),
);

/** What a do-not-call column says of people who may be called; anything else that is filled in, also a date, is a no. */
const MAY_CALL: ReadonlySet<string> = new Set(
  split(
    '|0|0.0|false|f|no|n|off|none|null|nil|n/a|na|-|falsch|nein|non|faux|nee|nej|falso|subscribed',
  ),
);

/** True when a do-not-call cell is filled in. */
export function saysDoNotCall(cell: string): boolean {
  return !MAY_CALL.has(cell.trim().toLowerCase());
}

/** Words of a header that may hold a number, whatever stands around them. */
export const PHONE_WORDS: ReadonlySet<string> = new Set(
  split(
    'phone|phones|mobile|mobilephone|telephone|telephonenumber|tel|cell|cellphone|msisdn|phonenumber|mobilenumber|handy|handynummer|mobil|mobilnummer|telefon|telefonnummer|rufnummer|teléfono|telefono|celular|móvil|movil|téléphone|telefone|cellulare|mobiel|telefoon|telefoonnummer|gsm|puhelin|whatsapp|tél|fixe|festnetz|fijo|fisso|portable|mobilfunk|mobilfunknummer|mobilnr|telefonnr|telnr|電話|電話番号|携帯|携帯電話|携帯番号|携帯電話番号|电话|电话号码|手机|手机号|手机号码|電話號碼|手機|전화|전화번호|휴대폰|휴대전화|핸드폰|मोबाइल|फोन|телефон|мобильный|сотовый|هاتف|جوال',
  ),
);

/** Headers taken as they are. */
export const PHONE_NAMES: ReadonlySet<string> = new Set(
  split(
    'number|contact number|contact no|contact num|to|to number|destination|callee|numéro|numero|número|nummer|dial number',
  ),
);

/** Words that say that it is not a number to call, or not a number at all. */
export const OTHER_WORDS: ReadonlySet<string> = new Set(
  split(
    'fax|pager|telex|tty|type|label|ext|extension|email|mail|assistant|account|owner|count|url|id|not|do|status|time|date|timezone|zone|country|code|carrier|typ|durchwahl|opt|opted|verified|valid|consent|attempts|calls',
  ),
);

/** Whose number it is, in the order in which they are called; `2`: of nobody in particular. */
export const PHONE_RANKS: readonly [rank: number, words: ReadonlySet<string>][] = [
  [
    0,
    new Set(
      split(
        'mobile|mobilephone|mobilenumber|cell|cellphone|handy|handynummer|mobil|mobilnummer|móvil|movil|celular|cellulare|mobiel|gsm|portable|whatsapp|mobilfunk|mobilfunknummer|mobilnr|携帯|携帯電話|携帯番号|携帯電話番号|手机|手机号|手机号码|手機|휴대폰|휴대전화|핸드폰|मोबाइल|мобильный|сотовый|جوال',
      ),
    ),
  ],
  [1, new Set(split('direct|direkt'))],
  [6, new Set(split('company|corporate|main|switchboard|headquarters|hq|reception|zentrale'))],
  [
    5,
    new Set(
      split('other|additional|alternate|alternative|secondary|second|callback|car|phones|2nd'),
    ),
  ],
  [3, new Set(split('work|business|office|geschäftlich|bureau|trabajo'))],
  [4, new Set(split('home|private|privat|haus|casa|landline|domicile|fixe|festnetz|fijo|fisso'))],
];

function split(names: string): string[] {
  return names.split('|');
}
