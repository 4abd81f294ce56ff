import { foldWords, phraseTest } from '../../../text/fold-words.ts';

/** Cells that say yes, by language; ticks are in `TICKS`. */
const YES =
  'yes|y|yeah|yep|ja|j|oui|si|sí|sì|sim|s|ken|joo|kyllä|jah|tak|да|д|так|ano|áno|igen|da|evet|ναι|taip|jā|ya|iya|có|हाँ|हां|जी हाँ|जी हां|نعم|أجل|بله|بلی|آری|ہاں|جی ہاں|כן|ใช่|はい|有|あり|済|是|是的|예|네|예스|true|t|wahr|vrai|verdadero|verdadeiro|vero|waar|sant|sand|sann|tosi|prawda|истина|правда|pravda|igaz|adevărat|doğru|αληθές|tiesa|patiess|tõene|benar|đúng|真|참|1|1.0|1,0|-1|on|checked|ticked|x1|o';

/** Cells that say no, by language; empty boxes are in `EMPTY_BOXES`. */
const NO =
  'no|n|nope|nein|non|não|nao|nee|nej|nei|ei|nie|нет|н|ні|не|ne|nem|nu|hayır|hayir|όχι|nē|tidak|tak ada|bukan|không|khong|नहीं|जी नहीं|لا|كلا|خیر|نه|نہیں|جی نہیں|לא|ไม่|ไม่ใช่|いいえ|無|なし|未|否|不|不是|没有|沒有|아니오|아니요|노|false|f|falsch|faux|falso|falskt|falsk|onwaar|usann|epätosi|fałsz|ложь|хибність|nepravda|hamis|fals|yanlış|ψευδές|netiesa|aplams|väär|salah|sai|偽|假|거짓|0|0.0|0,0|off|unchecked|unticked';

/** Cells that say that the person may be called, whatever the header says. */
const ALLOWED =
  'allow|allowed|permitted|opted in|opt in|optin|subscribed|resubscribed|callable|ok to call|okay to call|may call|can call|clean|clear|not listed|not registered|not on list|not on dnc|not dnc|not blocked|not suppressed|zulassen|erlaubt|autoriser|autorisé|permitir|permitido|autorizado|consenti|consentire|consentito|autorizzato|toestaan|toegestaan|tillåt|tillåtet|tillåten|tillad|tilladt|tillat|tillatt|sallittu|salli|zezwalaj|dozwolone|разрешить|разрешено|можно|дозволено|дозволити|povolit|povoleno|povoliť|povolené|engedélyezve|engedélyezett|permis|permite|izinli|izin var|επιτρέπεται|leidžiama|atļauts|lubatud|dozvoljeno|dopušteno|dovoljeno|diizinkan|boleh|cho phép|अनुमति है|مسموح|مجاز|اجازت ہے|מותר|อนุญาต|可|許可|可能|可以|允许|允許|허용|가능';

/** Agreement: in a column such as `May call` it allows calls, in one such as `Do not call` it forbids them. */
const AGREED =
  'ok|okay|granted|given|consented|consent given|consent|agreed|accepted|approved|authorized|authorised|confirmed|erteilt|zugestimmt|eingewilligt|accordé|accepté|aceptado|concedido|aceito|accettato|concesso|akkoord|gegeven|godkänd|godkänt|godkendt|godkjent|annettu|hyväksytty|wyrażona|udzielona|согласен|согласна|дано|згоден|згодна|souhlasí|udělen|súhlasí|hozzájárult|acceptat|onaylı|onaylandı|verildi|kabul|sutinka|piekrīt|nõus|setuju|đồng ý|सहमत|موافق|מאושר|ยินยอม|同意|接受|동의|수락';

/** Cells that say that the person must not be called, in a column that says who may be called. */
const REFUSED =
  'do not allow|not allowed|not permitted|disallow|disallowed|denied|refused|declined|withdrawn|revoked|rejected|opted out|opt out|unsubscribed|no consent|not given|not granted|none given|do not call|dnc|dnd|blocked|blacklisted|suppressed|do not contact|nicht zulassen|nicht erlaubt|nicht erteilt|abgelehnt|verweigert|widerrufen|gesperrt|verboten|ne pas autoriser|non autorisé|refusé|retiré|no permitir|no permitido|no autorizado|rechazado|denegado|revocado|não permitir|não permitido|não autorizado|recusado|negado|revogado|non consentire|non consentito|non autorizzato|negato|rifiutato|revocato|niet toestaan|niet toegestaan|geweigerd|ingetrokken|tillåt inte|inte tillåtet|nekad|återkallat|tillad ikke|ikke tilladt|afvist|tillat ikke|ikke tillatt|avslått|kielletty|ei sallittu|evätty|peruttu|nie zezwalaj|zabronione|niewyrażona|brak|odmowa|wycofana|запрещено|запретить|не разрешать|не разрешено|отказ|отозвано|не согласен|не согласна|нельзя|заборонено|відмова|nepovolit|zakázáno|nesouhlasí|nepovoliť|zakázané|nesúhlasí|tiltva|letiltva|nem engedélyezett|visszavonva|nepermis|interzis|refuzat|izinsiz|izin yok|reddedildi|reddetti|engelli|ret|απαγορεύεται|δεν επιτρέπεται|draudžiama|nesutinka|aizliegts|nepiekrīt|keelatud|zabranjeno|odbijeno|prepovedano|dilarang|ditolak|tolak|tidak setuju|tidak boleh|từ chối|không đồng ý|không cho phép|cấm|मना|असहमत|ممنوع|مرفوض|رفض|غير موافق|غیرمجاز|ممنوع|منع|אסור|סירב|לא מאושר|ไม่ยินยอม|ไม่อนุญาต|ห้าม|不可|拒否|禁止|ng|不同意|不可以|拒绝|拒絕|不允许|不允許|거부|거절|불가|금지|차단';

/** Ways to write that a cell has no answer. */
const NOTHING = '|null|nil|n/a|na|none|-|–|—|--|.|unset|not set|undefined|(blank)|0000-00-00|#n/a';

/** Signs instead of words. Some people write `CROSSES` for yes and others for no, so they count as neither. */
const TICKS = '✓|✔|☑|✅|🗹|○|〇|◯|◎';
const EMPTY_BOXES = '☐|□|⬜';
const CROSSES = '✗|✘|❌|☒|✖|×|x';

/** Where a word is in two of these lists, the later list wins. */
const WORDS = { agreed: AGREED, allowed: ALLOWED, refused: REFUSED, yes: YES, no: NO };
const SIGNS = { nothing: NOTHING, yes: TICKS, no: EMPTY_BOXES, cross: CROSSES };

/** What a cell of a yes/no column says; `nothing` includes an empty cell, `other` is any unknown text. */
type Answer = keyof typeof WORDS | keyof typeof SIGNS | 'other';

const answers = new Map<string, Answer>();

export function readAnswer(cell: string): Answer {
  if (answers.size === 0) fill();
  const text = cell.trim().toLowerCase().replaceAll('\ufe0f', '');
  return answers.get(text) ?? answers.get(`=${foldWords(text)}`) ?? 'other';
}

const isOneOf =
  (...answers: Answer[]) =>
  (cell: string): boolean =>
    answers.includes(readAnswer(cell));

export const saysYes = isOneOf('yes', 'allowed', 'agreed');
export const saysNo = isOneOf('no', 'refused');
/** True for a cell that denies a refusal of calls, or has none. */
export const deniesRefusal = isOneOf('no', 'allowed', 'nothing');
/** True for a cell that says yes or no to something, in whatever words. */
export const isYesOrNo = isOneOf('yes', 'no', 'allowed', 'agreed', 'refused', 'cross');
/** True for a cell without an answer, such as an empty one or `n/a`. */
export const saysNothing = isOneOf('nothing');

function fill(): void {
  for (const [answer, list] of [...Object.entries(WORDS), ...Object.entries(SIGNS)]) {
    for (const word of list.split('|')) answers.set(word, answer as Answer);
  }
  for (const [answer, list] of Object.entries(WORDS)) {
    for (const word of list.split('|').map(foldWords))
      if (word !== '') answers.set(`=${word}`, answer as Answer);
  }
}

/**
 * Headers that say that somebody may be called, by language; see `phraseTest` for the notation. A header that also
 * matches a do-not-call phrase (`Do not allow calls`) is a do-not-call column.
 */
const MAY_CALL: Readonly<Record<string, string>> = {
  en: 'consent/consents/consented/permission/permissions/permitted/permits/allow/allows/allowed/ok/okay/agree/agrees/agreed/authorised/authorized/authorisation/authorization/authorises/authorizes/happy/opt_in/opted_in/optin/optedin/accept/accepts/accepted/willing/wants * call/calls/called/calling/phone/phoned/telephone/telephoned/ring/dial/contact/contacted/telemarketing/telephoning/voice | call/calls/calling/phone/telephone/contact/telemarketing * consent/consents/consented/permission/permissions/permitted/allowed/allow/ok/okay/opt_in/optin/opted_in/authorised/authorized/authorisation/authorization/agreed/agreement/permissible | may_we/may_i/can_we/can_i/may_be/can_be * call/called/phone/phoned/telephone/telephoned/ring/contact/contacted | callable/contactable | voice consent | tcpa * consent/opt_in/optin/compliant/ok/status | express written consent',
  de: 'anrufbar/kontaktierbar/telefonisch_erreichbar_ok | dsgvo/gdpr * telefon…/anruf… | einwilligung…/zustimmung…/erlaubnis/freigabe/einverständnis/genehmigung/opt_in/optin * anruf…/telefon/telefonisch…/telefonanruf…/telefonkontakt/telefonwerbung/telefonmarketing/kontakt/kontaktaufnahme/kontaktieren/werbeanruf… | anruf…/telefon/telefonisch…/telefonanruf…/telefonkontakt/telefonwerbung/telefonmarketing/kontakt/kontaktaufnahme/kontaktieren/werbeanruf… * erlaubt/einwilligung/zustimmung/erlaubnis/freigabe/opt_in/optin/gestattet/zugelassen/zulässig/genehmigt/einverstanden/einverständnis/zulassen/ok/okay | anruf/anrufe/telefonanrufe/telefonkontakt/telefonische_kontaktaufnahme/telefonwerbung erwünscht/gewünscht | darf/dürfen * anrufen/angerufen/kontaktiert/kontaktieren/telefonieren/telefonisch | anruferlaubnis/anrufeinwilligung/anruffreigabe/telefoneinwilligung/telefonerlaubnis/telefonfreigabe/kontakterlaubnis/kontaktfreigabe/kontakteinwilligung/telefonzustimmung',
  fr: 'contactable/joignable * téléphone/appel | contactable | consentement/accord/autorisation/autorise/autoriser/accepte/accepter/permission/opt_in/optin * appel/appels/appeler/appelé/appelée/téléphone/téléphonique/téléphoniques/contact/contacté/contactée/contacter/démarchage/voix | appel/appels/appeler/téléphone/téléphonique/contact/contacter/démarchage * autorisé…/accepté…/consentement/consenti/permis/permission/accord/opt_in/optin/ok | peut_on/pouvons_nous/puis_je/on_peut/peut_être/souhaite_être * appeler/appelé…/contacter/contacté…/téléphoner/rappelé',
  es: 'contactable | rgpd/lopd * teléfono/llamadas/telefónico | consentimiento/consiente/permiso/permite/permitir/autorización/autoriza/autorizado/acepta/opt_in/optin * llamar/llamarle/llamada/llamadas/contacto/contactar/contactado/teléfono/telefónico/telefónicas/telefónica/voz | llamar/llamada/llamadas/contacto/contactar/teléfono/telefónico/telefónicas * permitid…/autorizad…/aceptad…/consentid…/consentimiento/permiso/opt_in/optin/ok | se_puede/podemos/puede/puedo * llamar/llamarle/llamarlo/contactar/telefonear',
  pt: 'contactável/contatável | lgpd/rgpd * telefone/ligações/chamadas | consentimento/consente/permissão/permite/permitir/autorização/autoriza/autorizado/aceita/aceite/opt_in/optin * ligar/ligação/ligações/chamada/chamadas/contato/contacto/contatar/contactar/telefone/telefónico/telefônico/telefónicas | ligar/ligação/ligações/chamada/chamadas/contato/contacto/telefone/telefónico/telefônico * permitid…/autorizad…/aceit…/consentid…/consentimento/permissão/opt_in/optin/ok | pode/podemos/posso * ligar/telefonar/contatar/contactar/chamar',
  it: 'contattabile/chiamabile | consenso/consente/consentire/permesso/autorizzazione/autorizza/autorizzato/accetta/opt_in/optin * chiamare/chiamata/chiamate/telefonare/telefonata/telefonate/telefono/telefonico/telefonica/telefoniche/contatto/contattare/contattato/telemarketing | chiamare/chiamata/chiamate/telefonata/telefonate/telefono/telefonico/contatto/contattare/telemarketing * consentit…/autorizzat…/permess…/accettat…/consenso/opt_in/optin/ok | possiamo/si_può/posso/può * chiamare/telefonare/contattare/contattato',
  nl: 'belbaar/contacteerbaar | avg * telefoon/bellen | toestemming/akkoord/toestaan/mag/mogen/opt_in/optin * bellen/gebeld/telefoon/telefonisch…/telefoongesprekken/contact/contacteren/contactopname/oproepen | bellen/telefoon/telefonisch…/telefoongesprekken/oproepen/contact/contacteren * toegestaan/toestemming/akkoord/opt_in/optin/ok/mag/toestaan/gewenst | belakkoord/beltoestemming',
  sv: 'ringbar/uppringbar/kontaktbar | samtycke/samtycker/tillstånd/godkänner/godkänt/tillåt/tillåter/tillåtelse/får/accepterar/opt_in/optin * ring/ringa/ringas/ringas_upp/samtal/telefonsamtal/kontakt/kontakta/kontaktas/telefon/uppringning | ringa/samtal/telefonsamtal/kontakt/kontakta/telefon/telefonkontakt/uppringning * tillåt…/tillåtet/samtycke/ok/godkän…/opt_in/optin/tillstånd',
  da: 'kontaktbar | samtykke/samtykker/tilladelse/tillad/tillader/må/accepterer/opt_in/optin * ringe/ringes/ringes_op/opkald/telefonopkald/kontakt/kontaktes/kontakte/telefon/telefonisk/telefonkontakt | ringe/opkald/telefonopkald/kontakt/telefon/telefonisk * tilladt/samtykke/ok/tilladelse/opt_in/optin/accepteret',
  nb: 'samtykke/samtykker/tillatelse/tillat/tillater/kan/får/godtar/opt_in/optin * ringe/ringes/ringes_opp/anrop/oppringning/kontakt/kontaktes/kontakte/telefon/telefonisk/samtale/telefonsamtaler | ringe/anrop/oppringning/kontakt/telefon/telefonisk/telefonsamtaler * tillatt/samtykke/ok/tillatelse/opt_in/optin/godtatt',
  fi: 'soitettavissa | lupa/suostumus/hyväksyy/hyväksyn/saa/saako/sallii/salli/sallittu * soittaa/soittoon/soitto/soittoihin/puhelu/puhelut/puheluihin/puheluita/puheluun/puhelinmarkkinointi…/puhelinmyynti…/puhelimitse/yhteyttä/yhteydenotto…/yhteydenottoon | soitto/soittaa/soittaminen/puhelut/puhelu/puhelinmarkkinointi/yhteydenotto/yhteydenotot * lupa/suostumus/sallittu/sallitut/ok/hyväksytty | soittolupa/puhelinlupa/puhelulupa/yhteydenottolupa/puhelinmarkkinointilupa/puhelinsuostumus',
  pl: 'rodo * telefon/telefoniczny | zgoda/zgody/zezwala/zezwól/zezwolenie/pozwolenie/można/wolno/akceptuje/wyraża_zgodę * dzwonić/dzwonienie/zadzwonić/telemarketing/telefon/telefoniczna/telefoniczny/telefonicznie/telefoniczne/telefonowanie/kontakt/kontaktować/kontaktu/połączenia/połączenie/rozmowy | telefon/telefoniczny/kontakt/połączenia/dzwonienie * zgoda/dozwolon…/zezwolon…/ok',
  ru: 'согласие/согласен/согласна/разрешение/разрешено/разрешены/разрешает/разрешить/можно * звонить/звонки/звонок/звонка/позвонить/контакт…/телефон…/связаться/связываться/связь/обзвон… | звонить/звонки/звонок/контакт/телефон/обзвон * разреш…/согласие/можно/ок',
  uk: 'згода/згоден/згодна/дозвіл/дозволено/дозволяє/дозволити/можна * дзвонити/дзвінки/дзвінок/телефонувати/телефон…/контакт… | дзвонити/дзвінки/дзвінок/контакт/телефон * дозвол…/згода/можна/ок',
  bg: 'съгласие/разрешение/разрешено/разрешава/може * обаждане/обаждания/обаждаме/звъним/звънене/телефон…/контакт… | обаждания/обаждане/контакт * разреш…/съгласие',
  cs: 'souhlas/souhlasí/povoleno/povolit/povolení/svolení/lze/můžeme/smíme * volat/volání/voláním/zavolat/telefon…/kontakt…/hovor… | volání/volat/telefon…/kontakt…/hovory * povolen…/souhlas/ok/dovolen…/povolit',
  sk: 'súhlas/súhlasí/povolené/povoliť/povolenie/možno/môžeme/smieme * volať/volanie/volaním/volania/zavolať/telefon…/kontakt…/hovor… | volanie/volania/volať/telefon…/kontakt…/hovory * povolen…/súhlas/ok/dovolen…/povoliť',
  hu: 'kereshető/telefonálható/elérhető_telefonon | hozzájárul…/engedély…/beleegyez… * hívás…/hív…/telefon…/kapcsolat…/megkeres… | hívás…/telefonhívás…/telefonos/megkeresés… * engedély…/hozzájárul…/beleegyez…/ok | hívható/telefonálható',
  ro: 'consimțământ/acord/de_acord/permisiune/permite/permis/acceptă/accept/putem/poate_fi/se_poate * apel/apeluri/apelurile/apelurilor/apela/apelat/suna/sunat/telefon…/contact… | apeluri/apel/telefon…/contact/contactare * permis…/acord/consimțământ/acceptat…/ok',
  tr: 'kvkk * arama/telefon | arama/aranma/telefon/telefonla/çağrı/iletişim * izni/izin/onayı/onay/rızası/rıza/kabul/serbest/izinli | aranabilir…/arayabilir… | izin/onay/rıza * arama…/aran…/telefon',
  el: 'συγκατάθεση/συναίνεση/άδεια/έγκριση/επιτρέπεται/επιτρέπονται/αποδοχή/αποδέχεται/μπορούμε * κλήση/κλήσεις/κλήσεων/κλήσης/τηλεφων…/επικοινων…/καλέσουμε | κλήσεις/κλήση/τηλεφων…/επικοινωνία * επιτρέπ…/συγκατάθεση/συναίνεση/εγκεκριμέν…',
  lt: 'sutikimas/sutinka/leidimas/leidžia/leisti/leidžiama/galima * skamb…/telefon…/kontakt…/susisiek… | skambinti/skambučiai/skambučius/telefonu * leidžia…/leisti/sutikimas/leidimas/galima',
  lv: 'piekrišana/piekrīt/atļauja/atļauts/atļaut/drīkst * zvan…/telefon…/tālru…/kontakt…/sazin… | zvanīt/zvani/zvaniem/zvanus * atļaut…/atļauja/piekrišana/drīkst',
  et: 'nõusolek/luba/lubatud/lubab/tohib * helista…/kõne/kõned/kõnedeks/telefon…/ühendust | helistamine/helistada/kõned * lubatud/luba/nõusolek/tohib',
  hr: 'suglasnost/saglasnost/pristanak/dozvola/dozvoljeno/dozvoliti/dopušteno/smijemo/smemo/soglasje/privolitev/dovoljenje/dovoljeno * zvati/nazvati/pozvati/poziv…/klic…/poklicati/kontakt…/telefon… | pozivi/poziv/klici/klicanje/kontakt * dozvoljen…/dopušten…/dovoljen…/suglasnost/saglasnost/soglasje | сагласност/дозвола/дозвољено * позив…/звати/контакт…',
  id: 'izin/persetujuan/setuju/boleh/bersedia/diizinkan/mengizinkan/kebenaran * telepon/ditelepon/telpon/ditelpon/menelepon/hubungi/dihubungi/panggilan/kontak/dikontak/telefon | panggilan/telepon/menelepon/kontak * diizinkan/disetujui/izin/boleh/ok/dibenarkan',
  vi: 'đồng_ý/cho_phép/được_phép/chấp_nhận * gọi/gọi_điện/liên_hệ/cuộc_gọi/điện_thoại/nghe_gọi | gọi/liên_hệ * được_phép/đồng_ý',
  hi: 'कॉल/फोन/संपर्क/सम्पर्क * अनुमति/सहमति/स्वीकृति/इजाजत/मंजूरी | अनुमति/सहमति/स्वीकृति * कॉल/फोन/संपर्क | कॉल/फोन/संपर्क कर सकते',
  ar: 'موافقة/الموافقة/موافق/إذن/الإذن/يسمح/السماح/مسموح/يقبل/قبول/تصريح/يوافق * الاتصال/بالاتصال/اتصال/للاتصال/اتصالات/المكالمات/مكالمات/التواصل/بالتواصل/الهاتف…/هاتف… | الاتصال/اتصال/المكالمات/التواصل * مسموح…/موافق…',
  fa: 'اجازه/رضایت/مجوز/موافقت * تماس/زنگ/تلفن… | تماس * مجاز/اجازه/رضایت/مجوز',
  ur: 'کال/فون/رابطہ/کالز * اجازت/رضامندی/اتفاق | اجازت/رضامندی * کال/فون/رابطہ/کالز',
  he: 'אישור/הסכמה/מאשר/מאשרת/מסכים/מסכימה/מותר/רשות/אפשר * להתקשר/להתקשרות/התקשרות/לשיחות/לשיחה/לשיחת/שיחות/ליצור_קשר/ליצירת_קשר/טלפונ… | שיחות/התקשרות * מותר…/מאושר…/באישור',
  th: '=ยินยอมให้โทร/อนุญาตให้โทร/ยินยอมให้ติดต่อ/อนุญาตให้ติดต่อ/ยินยอมรับสาย/ยินยอมทางโทรศัพท์/ยินยอมการโทร/ความยินยอมในการโทร/ยินดีรับสาย/โทรได้/ยินยอมให้ติดต่อทางโทรศัพท์',
  ja: '=架電可/架電許可/架電同意/架電許諾/架電ok/電話可/電話許可/電話同意/電話ok/電話連絡可/電話連絡許可/電話連絡同意/電話連絡の同意/電話連絡への同意/電話での連絡可/電話での連絡に同意/電話連絡ok/連絡可/コール可/コールok/発信可/お電話ok/お電話可',
  zh: '=可致电/可以致电/可拨打/可以拨打/可打电话/可以打电话/可外呼/可联系/可以联系/允许致电/允许拨打/允许来电/允许电话/允许外呼/允许联系/同意致电/同意来电/同意电话/同意接听/同意外呼/同意联系/接受来电/接受电话/接受致电/接受联系/电话许可/电话授权/通话许可/外呼授权/致电同意/电话同意/联系同意/致电许可/能否致电/愿意接听/是否致电 | =可致電/可以致電/可撥打/可以撥打/可以打電話/可聯絡/可以聯絡/允許致電/允許撥打/允許來電/允許電話/允許聯絡/同意致電/同意來電/同意電話/同意聯絡/接受來電/接受電話/接受致電/電話許可/電話授權/致電同意/電話同意/聯絡同意/致電許可',
  ko: '=전화동의/통화동의/연락동의/전화수신동의/전화연락동의/전화마케팅동의/전화권유동의/전화허용/연락허용/통화허용/전화허락/전화가능/연락가능/tm동의/콜동의/전화수락',
};

/** Words for consent to something else than being called: to recordings of calls. */
const ANOTHER_CONSENT =
  'recording/record/recorded/recordings/aufzeichn…/mitschnitt/enregistr…/grabación/grabar/gravação/gravar/registrazione/registrare/opname/opnemen/inspelning/optag…/opptak/nauhoit…/nagrywan…/nagrani…/запись/записи/запис/nahráv…/záznam…/felvétel…/înregistr…/kayıt/kaydı/kaydetme/ηχογράφηση/įraš…/ieraksts…/merekam/rekaman/ghi_âm/רیکارڈنگ/ضبط/تسجيل/הקלטה/रिकॉर्ड… | =録音/录音/錄音/녹음/บันทึกเสียง';

/**
 * Words that may turn a consent into a refusal. A header that has one of them and a consent, and does not match a
 * do-not-call phrase, is ambiguous.
 */
const CONTRARY =
  'no/not/never/without/non/dont/don | nicht/nie/kein…/ohne | ne/pas/sans | sin | não/sem | senza | niet/geen/zonder | inte/ej/inga/utan | ikke/aldri/aldrig/uden/uten | ei/älä | nie/bez/brak | не/нет/без/ні/немає | neželá/nepřeje/nesouhlas…/nesúhlas… | nem/nincs | nu/fără | yok/değil | μη/μην/όχι/δεν/χωρίς | nėra | nav/nē | mitte | tidak/tak/tanpa/jangan/bukan | không/chưa/đừng | न/ना/नहीं/मत/बिना | لا/عدم/غير/بدون/ليس | نیست/عدم/بدون/غیر | نہ/نہیں/مت/بغیر | לא/אין/ללא/בלי | =不/未/勿/禁/拒/なし/無し/금지/거부/않/안함/없음/ไม่/ห้าม/งด';

const says = phraseTest(Object.values(MAY_CALL).join(' | '));
const isContrary = phraseTest(CONTRARY);
export const isAnotherConsent = phraseTest(ANOTHER_CONSENT);

/** Whether a folded header says that somebody may be called. `perhaps`: it says this or the opposite. */
export function namesConsent(folded: string): boolean | 'perhaps' {
  if (!says(folded) || isAnotherConsent(folded)) return false;
  return isContrary(withoutNumberSign(folded)) ? 'perhaps' : true;
}

/** The folded header without a `no` that refuses nothing: `Mobile No.`, `No. of calls`, `May we call (Yes/No)`. */
export function withoutNumberSign(folded: string): string {
  const words = folded.split(' ');
  const [last = '', before = ''] = words.toReversed();
  const isChoice = readAnswer(before) === 'yes' && readAnswer(last) === 'no';
  const name = isChoice ? words.slice(0, -2).join(' ') : folded;
  return name.replace(/ no(?= \d{1,2}$|$)|(?:^| )no (?:of|de|di|d)(?= )/, '');
}
