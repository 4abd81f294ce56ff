import type { ListField } from '../../../domain/lists/list-mapping.ts';

/**
 * The headers by which each field is recognised, as `normalizeHeader` writes them, separated by `|`, the better ones
 * first: those of HubSpot, Salesforce, GoHighLevel, Pipedrive, Close, Apollo, Mailchimp, Google Contacts, Outlook and
 * Zoho, and the words of a dozen languages.
 */
export const FIELD_NAMES: Readonly<Record<ListField, string>> = {
  firstName:
    'first name|firstname|fname|given name|forename|person first name|vorname|prénom|prenom|nombre|voornaam|förnamn|fornavn|imię|nome|名|имя|first|nombres|primer nombre|primeiro nome|etunimi|पहला नाम|الاسم الأول',
  lastName:
    'last name|lastname|lname|surname|family name|person last name|nachname|nom de famille|nom|apellidos|apellido|cognome|sobrenome|achternaam|efternamn|efternavn|etternavn|nazwisko|姓|фамилия|last|primer apellido|apellido paterno|último nome|sukunimi|성|उपनाम|اسم العائلة',
  name: 'name|full name|fullname|contact name|display name|lead name|person name|primary contact name|customer name|customer|contact|氏名|名前|お名前|姓名|이름|नाम|фио|nombre completo|nombre y apellidos|nom complet|nom et prénom|nome completo|nome e cognome|vor und nachname|vollständiger name|naam|namn|navn|koko nimi|nimi|imię i nazwisko|성명|पूरा नाम|الاسم الكامل|الاسم|имя и фамилия',
  company:
    'company|company name|account name|associated company|business name|business name company|organization name|organization|organisation|person organization|firma|société|societe|empresa|azienda|bedrijf|företag|会社|会社名|公司|회사|компания|firmenname|unternehmen|entreprise|compañía|razón social|nome da empresa|ragione sociale|bedrijfsnaam|virksomhed|bedrift|yritys|nazwa firmy|企業名|公司名称|회사명|कंपनी|شركة|الشركة|организация',
  email:
    'email|email address|email id|e mail|e mail address|mail|person email work|person email|e mail 1 value|primary contact primary email|correo|correo electrónico|mél|courriel|メール|メールアドレス|邮箱|이메일',
  externalId:
    'external id|record id|contact id|lead id|customer id|client id|person id|apollo contact id|contact key|leid|euid|crm id|kundennummer|kundennr|kdnr|kd nr|kunden nr|customer no|customer number|numéro client|n client|código cliente|顧客番号|id',
  timezone: 'timezone|time zone|tz|iana time zone|zeitzone|zona horaria',
  state:
    'state|province|region|state region|state province|mailing state province|mailing state|business state|address 1 region|home state|bundesland|provincia|都道府県',
  postalCode:
    'postal code|postcode|zip code|zip|zipcode|mailing zip postal code|business postal code|address 1 postal code|plz|code postal|código postal|cap|postnummer|pin code|pincode|郵便番号|邮编|индекс',
  country:
    'country|country code|country iso|iso country|country region|mailing country|business country region|address 1 country|cc|land|pays|país|pais|paese|kraj|dial code|calling code|country calling code|ländervorwahl|phone code|phone country code|phone country|default address country code|billing country|billing country code|国|国名|国家|국가|देश|страна',
};
