import { readAnswer } from './answer-words.ts';
import { phraseTest } from '../../../text/phrases.ts';

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
