import { phraseTest } from '../../../text/fold-words.ts';
import {
  isAsked,
  isConsent,
  isKeptOut,
  isLegal,
  isObjection,
  isOfList,
  isOfPrivacy,
  isRevoked,
  isTakenOff,
  isTurned,
  isUnwilling,
  withoutNumberSign,
} from './permission-words.ts';

/** Words for calling, in the languages of `DO_NOT_CALL`; words for the telephone alone are in `PHONES`. */
const CALLS =
  'call/calls/called/calling/callable/voice/dialler/dialer/dialling/dialing/dial/ring/rings/telemarketing/dnc/dnd/donotcall/tps/ctps/phone_calls | anruf…/anzuruf…/angerufen/telefonier…/telefonwerbung/telefonanruf…/werbeanruf… | appel/appels/appeler/appelé…/téléphoner/démarch…/bloctel/voix | llamar…/llamada…/llame/llamen/llamad…/telefonear/voz | ligar/ligaç…/chamada…/telefonar/telefonemas | chiamar…/chiamat…/telefonare/telefonat… | bellen/opbellen/gebeld/belverbod/telefoneren/telefoongesprekken/oproepen/telefoontjes | ringa/ringas/ringe/ringes/ringet/ringt/uppringd/oppringt/samtal/telefonsamtal/uppringning…/opkald/telefonopkald/anrop/oppringning… | soitta…/soitto…/puhelut/puheluita/puheluja | dzwon…/dzwoń/telefonowa…/połącze… | звон…/звоните/позвон…/обзвон… | дзвон…/дзвін…/телефонувати | звънене/обажда… | volat/volání/nevolat/zavolat/volať/volan…/nevolať/zavolať | hívás…/hív…/telefonál… | apel/apelul/apeluri/apelurile/apelurilor/apela/apelat/suna/sunat | arama/aran…/aramayın…/çağrı | κλήσ…/κλήσεις/καλε…/καλέ…/τηλεφωνή…/ξανακαλ…/ξανατηλεφ… | skamb…/neskamb… | zvan…/zvanīt/nezvan… | helista…/kõne… | zvati/zovi/poziv…/pozivi/klic…/klicati | telepon/ditelepon/menelepon/panggilan | gọi/cuộc_gọi | कॉल/काल | الاتصال/اتصال/بالاتصال/للاتصال/اتصالات/المكالمات/مكالمات/تتصل | تماس/زنگ | کال/کالز | להתקשר/תתקשר…/יתקשר…/התקשרות/חיוג/לחיוג/להתקשרות/שיחות/לשיחות/לחייג | =架電/荷電/コール/テレアポ/致电/致電/拨打/撥打/来电/來電/外呼/呼叫/打电话/打電話/통화/콜/전화해/전화하/โทร/รับสาย';

/** Words for the telephone, and below for contact of any kind. */
const PHONES =
  'phone/telephone/mobile/cell/tel/telefon…/téléphon…/teléfon…/telefón…/puhelin…/τηλεφ…/телефон…/telepon/ponsel/điện_thoại/फोन/الهاتف/هاتف/تلفن/فون/טלפון/tālru… | =電話/电话/手机/手機/携帯/전화/휴대폰/โทรศัพท์/มือถือ';
const TOUCH =
  'contact…/kontakt…/contat…/yhteyd…/yhteyt…/susisiek…/sazin…/iletişim/επικοινων…/контакт…/связаться/liên_hệ/संपर्क/التواصل/رابطہ/קשר/hubungi/dihubungi/ühendust | =联系/聯絡/聯繫/連絡/연락/ติดต่อ';

/** Words for ways to reach somebody other than calls; `do not contact` beside one of them is about that way only. */
const OTHER_WAYS =
  'email/emails/dm/e_mail/e_mails/mail/mails/mailing/mailings/sms/mms/rcs/text/texts/texting/texted/fax/faxes/faxing/post/postal/letter/letters/newsletter…/nyhetsbrev…/nyhedsbrev…/nieuwsbrie…/hírlev…/uutiskirj…/infolettre/boletín…/boletim…/рассыл…/розсил…/bülten…/zpravodaj…/naujienlaišk…/uudiskir…/bilten…/push/whatsapp/whats_app/viber/telegram/messenger/wechat/notification/notifications/visit/visits | brief/briefe/briefpost/postalisch…/werbepost | courriel/courriels/courrier/mél/texto/lettre | correo/correos/carta/boletín | correio/boletim | posta/posta_elettronica/pec/lettera | e_post/epost/epostutskick/sähköposti…/tekstiviest…/posti/kirje… | poczta/pocztą/pocztow…/listownie | почта/почте/почту/почтой/почтовые/письма/письмо/смс/рассылка/рассылки/рассылок/рассылку | пошта/пошту/поштою/розсилка/розсилки/розсилку | поща/имейл | pošta/poštou/poštu/e_mailů | levél/hírlevél/postai | scrisori/poștă | eposta/e_posta/mesaj/kısa_mesaj | ταχυδρομ…/ηλεκτρονικ…/μηνύματα | paštas/paštu/el_paštas/laiškai | pasts/pastu/e_pasts/vēstules | kiri/kirjad/meil | surel/pesan/surat | thư/tin_nhắn | ईमेल/ई_मेल/एसएमएस/डाक/मेल/संदेश | بريد/البريد/بالبريد/رسائل/الرسائل/فاكس/الفاكس | ایمیل/پیامک/پست | ای_میل/ایس_ایم_ایس/ڈاک | מייל/דואר/דוא_ל/מסרון/מסרונים/הודעות/פקס/סמס | =メール/郵送/郵便/はがき/ハガキ/ファックス/ショートメッセージ/邮件/邮箱/邮寄/短信/简讯/簡訊/郵件/传真/傳真/微信/이메일/메일/문자/우편/팩스/카카오/알림톡/อีเมล/ข้อความ/จดหมาย/ไปรษณีย์';

/** Words of refusal or permission; beside a word for calls they may decide who is called. */
const LEAVE =
  'no/not/dont/don/never/allow…/permission…/permit…/permissible/consent…/opt/opted/optin/optout/dnc/blacklist…/block/blocked/blocks/suppress…/refus…/object…/objection/denied/deny/restrict…/preference…/prefer/unsubscrib…/subscrib…/ok/okay/may/can/agree…/agreed/approved/accept…/barred/forbidden/prohibit…/stop/marketing/willing/wants/wish…/unwanted/solicit…/authori…/gdpr/tcpa/ccpa/invalid/wrong/bad/disconnected/dead | nicht/kein…/erlaub…/einwillig…/zustimm…/widerspr…/gesperrt/sperre/verbot…/darf/werbung/erwünscht/dsgvo | rgpd/lgpd/lopd/rodo/avg/kvkk | pas/refus…/autoris…/consent…/accord/accept…/interdi…/oppos… | permis…/autoriz…/consent…/acept…/bloque…/prohib… | não/permiss…/aceit…/proib… | non/permess…/autorizz…/consens…/accett…/blocc…/viet… | niet/geen/toest…/toegest…/akkoord/mag | inte/ej/ikke/samtyck…/samtykke/tillat…/tillåt…/tillad…/spärr… | ei/lupa/kielto/kielletty/sallit…/suostum… | nie/zgod…/zakaz…/zezw…/brak | не/нет/соглас…/разреш…/запре…/отказ…/можно/нельзя | згод…/дозв…/забор… | souhlas…/súhlas…/povol…/zákaz… | nem/tilt…/hozzájárul…/engedély… | nu/acord…/consimț…/permis…/interzi… | izin…/izni/onay…/rıza…/engel…/yasak… | μη/μην/όχι/συγκατάθεσ…/συναίνεσ…/επιτρέπ…/απαγορ… | sutik…/leid…/draud… | nav/atļau…/piekri…/aizlie… | luba…/nõus…/keela… | dozvol…/dovol…/zabran…/pristan…/suglas…/soglas… | jangan/tidak/izin/setuju/persetujuan/boleh/tolak | không/đừng/đồng_ý/cho_phép/từ_chối/cấm | न/नहीं/मत/मना/अनुमति/सहमति | لا/عدم/ممنوع/موافق…/الموافقة/السماح/مسموح/رفض/حظر | اجازه/رضایت/غیرمجاز | نہ/مت/اجازت/منع | לא/אין/אישור/הסכמה/מותר/אסור/סירוב | =不/勿/禁/拒/同意/允许/允許/可否/授权/授權/许可/許可/拒否/停止/お断り/금지/거부/동의/허용/차단/허락/ห้าม/อย่า/ไม่/ยินยอม/อนุญาต';

/** Words for the result of calls, or for another consent: a header with one of them does not say who may be called. */
const HAPPENED =
  'answered/answer/reached/connected/completed/missed/attempted/returned/scheduled/booked/logged/recorded/recording/verified/made/placed/last/next/transfer/transferred/notes/history/forwarding/waiting/picked/contacted/called/phoned/dialled/dialed/yet | erreicht/kontaktiert/angerufen/geführt/erledigt/aufzeichn… | répondu/contacté/contactée/appelé/appelée/enregistr… | contestad…/contestó/contactado/contactada/llamado/llamada_realizada/grabaci… | atendid…/contatado | rispost…/contattato/contattata/chiamato/registrazione | bereikt/gebeld/gecontacteerd | svarat/svaret/uppringd/ringd/ringet_op/oppringt/kontaktad/kontaktat/kontaktet/ringt/ringet | vastattu | odebran… | отвеч…/дозвон…/запись | không gọi/liên_hệ được | =録音/录音/錄音/녹음/接通/应答';

/** Matches a whole header that names a consent without saying to what. */
export const isBareConsent = (folded: string): boolean =>
  /^(?:(?:lead|person|contact|customer|client|is|has|given|received|marketing|gdpr|dsgvo|rgpd|status|flag|y|n|c|granted|obtained) )*(?:consent|consented|permission|opt in|optin|opted in|opted|opt|einwilligung|zustimmung|consentement|consentimiento|consentimento|consenso|toestemming|samtycke|samtykke|suostumus|zgoda|согласие|згода|souhlas|suhlas|hozzajarulas|acord|onay|izin|同意|동의|마케팅동의|موافقة|הסכמה)(?: (?:given|status|flag|y|n|c|yes|no|granted|received|obtained|marketing))*$/.test(
    folded,
  );

/** Matches a whole header that names a channel, as in a row of yes/no columns `Phone`, `E-mail`, `Post`. */
export const isBareCalls = (folded: string): boolean =>
  /^(?:(?:by|via|per|par|por) )?(?:call|calls|calling|phone|telephone|phone calls?|telephone calls?|telemarketing|call me|anruf|anrufe|telefon|telefonisch|appel|appels|telephone|llamadas?|telefono|chiamate|bellen|telefonisch|ringa|ringe|puhelut|звонки|телефон|電話|电话|電話連絡|전화)$/.test(
    folded,
  );

/** Headers of status columns. */
const STATES =
  'status/statuses/stage/lifecycle/disposition/dispo/outcome/tag/tags/label/labels/category/categories/segment/segments/result | statut/étiquette/étiquettes/estado/etiqueta/etiquetas/situação/situacao/stato/etichetta/etichette/tila/durum/статус/этап/тег/теги/стан/κατάσταση/būsena/statuss/stav/állapot/stare/stanje/trạng_thái/tình_trạng/स्थिति/الحالة/حالة/وضعیت/حیثیت/סטטוס/מצב/sperrvermerk/kennzeichen | =状态/狀態/标签/標籤/ステータス/状態/タグ/상태/태그/สถานะ';

/** Whole headers by which a record is in use; `no` means that it is not. */
const ACTIVE =
  /^(?:(?:is|lead|contact|customer|client|person|record|kunde|ist) )*(?:active|enabled|aktiv|actif|active|activo|activa|ativo|ativa|attivo|attiva|actief|aktiivinen|aktywny|aktywna|активен|активный|активна|активний|aktivni|aktivny|aktiv|activ|aktif|ενεργος|aktyvus|aktivs|aktiivne|aktivan|aktivno|dang hoat dong|सक्रिय|نشط|فعال|פעיל|ใช้งาน|有効|启用|啟用|有效|활성)(?: (?:flag|y|n|yes|no|status))*$/;
export const isActive = (folded: string): boolean => ACTIVE.test(folded);

/** Words for the last day of something, in headers. */
const EXPIRES =
  'expiry/expires/expiration/expire/expiring/until/valid_to/valid_till/end_date/ends | bis/läuft_ab/ablauf…/gültigkeit | jusqu/jusque/expir… | hasta/vence/vencimiento/caduc… | até/validade/vencimento | fino_al/fino_a/scadenza/scade | geldig_tot/vervalt/verloopt | giltig/giltigt/gäller_till/utgår | gyldig/udløb…/utløp…/gælder_til | voimassa/päättyy/asti | ważna_do/ważne_do/wygasa/ważności | истека…/действует_до/действительно_до/срок_действия/дійсн…/закінчується | platí_do/platnost/platnosť | lejár…/érvényes… | până_la/expiră/valabil | kadar/bitiş/geçerlilik | λήξη/λήγει/έως | galioja/iki/derīgs/līdz/kehtib/kuni | vrijedi_do/velja_do/istječe/važi_do | hingga/berlaku/kedaluwarsa/hết_hạn | तक/समाप्ति/انتهاء/حتى/انقضا/ختم/תוקף/עד | =有効期限/期限/有效期/到期/截止/만료/유효/까지/หมดอายุ/ถึงวันที่';
export const isExpiry = phraseTest(EXPIRES);

export const isAboutCalls = phraseTest(CALLS);
export const isAboutPhone = phraseTest(PHONES);
export const isAboutTouch = phraseTest(TOUCH);
export const isAboutOtherWays = phraseTest(OTHER_WAYS);
export const asksLeave = phraseTest(LEAVE);
export const tellsWhatHappened = phraseTest(HAPPENED);
export const isState = phraseTest(STATES);

/**
 * Stems of words for blocking, consent, lists, registries and law, by language. A yes-or-no column whose header has one
 * of them, or a word for calls, phone or contact, and no meaning that callsheet knows is asked about.
 */
const CONCERNS: Readonly<Record<string, string>> = {
  en: 'block…/blacklist…/consent…/permission…/permit…/opt/opted/optin/optout/opt_in/opt_out/allow…/agree…/authori…/exclu…/suppress…/restrict…/bar/barred/ban/banned/prohibit…/list/lists/registry/registries/register/law/lawyer…/attorney…/legal…/litigat…/lawsuit…/sue/sued/tcpa/gdpr/compliance/complain…/privacy/objection…/revok…/withdraw…/withdrew/cease/voice/callable/contactable/reachable/dial…/ncpr/trai/dnd/dnc/tps/ctps/acma/dncr/ftc',
  de: 'sperr…/gesperrt/block…/einwillig…/zustimm…/erlaub…/dsgvo/widerspr…/widerruf…/liste/listen/robinson…/register/rechtlich…/rechtsanwalt…/anwalt…/klage…/datenschutz… | =sperre/sperrliste/anruf/telefon',
  fr: 'bloqu…/blocage…/liste/listes/registre/consent…/opposition/oppos…/avocat…/juridique…/litige…/rgpd/cnil/accord/autoris…/refus…',
  es: 'bloque…/lista/listas/registro/consent…/abogad…/jurídic…/litigio…/demanda…/reus/robinson/exclu…/oposici…/lopd/autoriza…/permis…',
  pt: 'bloque…/bloqui…/cadastro/registo/advogad…/jurídic…/procon/lgpd/autoriz…/permiss…/oposiç…',
  it: 'blocc…/elenco/registro/consens…/avvocat…/legale…/opposizion…/rpo/autorizz…/contattabil…',
  nl: 'blok…/geblokkeerd…/lijst/register/toestemming…/akkoord/advocaat/juridisch…/avg/bezwaar/belbaar/bereikbaar/benaderbaar',
  sv: 'spärr…/lista/register/samtyck…/advokat…/juridisk…/nix | =spärr',
  nb: 'sperr…/spærr…/reservasjon…/reserver…/samtykk… | =sperre/spærr',
  fi: 'esto/estetty/kielto/kielletty/lista/luettelo/rekisteri/suostum…/asianajaja/lupa | =kielto/soittoesto',
  pl: 'blokad…/zablokow…/lista/rejestr…/zgod…/prawnik…/adwokat…/rodo/sprzeciw…',
  ru: 'стоп…/блок…/заблок…/список/списке/лист/реестр…/соглас…/юрист…/адвокат…/закон…/запрет…/запрещ…',
  uk: 'список/реєстр…/згод…/заборон…',
  bg: 'списък/регистър…/съглас…/забран…',
  cs: 'blok…/zablok…/seznam…/registr…/souhlas…/advokát…/zákaz…/zakáz…/námitk…',
  sk: 'zoznam…/register/súhlas…/zakáz…/námietk…',
  hu: 'tilt…/letilt…/blokk…/lista/nyilvántart…/hozzájárul…/ügyvéd…/kereshet…/hívhat…',
  ro: 'bloc…/blocat…/listă/lista/registru…/consimț…/acord/avocat…/interz…',
  tr: 'engel…/yasak…/liste…/iys/kvkk/izin…/izni/onay…/avukat…/ret/reddi',
  el: 'φραγ…/αποκλει…/λίστα…/μητρώο…/συγκατάθ…/δικηγόρ…/απαγόρευσ…',
  lt: 'sąraš…/registr…/sutik…/advokat…/draud…',
  lv: 'bloķ…/sarakst…/reģistr…/piekriš…/advokāt…/aizlieg…',
  et: 'keeld…/keelat…/nimekiri/register/nõusolek…/advokaat',
  hr: 'popis/registar/pristan…/suglas…/soglas…/odvjetnik…/odvetnik…/zabran…/prepoved…',
  id: 'blokir…/diblokir/daftar/registri/persetujuan/pengacara/larang…/dilarang',
  vi: 'chặn/danh_sách/đồng_ý/luật/luật_sư/cấm',
  hi: 'ब्लॉक/सूची/रजिस्ट्री/सहमति/वकील/कानून',
  ar: 'حظر/محظور/قائمة/سجل/موافقة/الموافقة/محامي/محام/قانوني',
  fa: 'مسدود/لیست/فهرست/رضایت/وکیل',
  ur: 'بلاک/فہرست/رضامندی/وکیل',
  he: 'חסום/חסומה/חסימה/רשימה/רשימת/מאגר/הסכמה/אישור/עורך_דין/לחיוג/חיוג',
  th: '=บล็อก/รายชื่อ/ทะเบียน/ยินยอม/ทนาย/กฎหมาย/ห้าม/โทร',
  ja: '=電/禁止/不可/拒/同意/許可/リスト/弁護士/法律/個人情報/ブロック/連絡/コール',
  zh: '=电/禁/拒/许可/許可/名单/名單/律师/律師/呼/联系/聯絡/勿',
  ko: '=전화/통화/동의/거부/차단/명단/변호사/법률/수신/콜',
};

export const concernsCalls = phraseTest(Object.values(CONCERNS).join(' | '));

/** True for a folded text about e-mail, texts or post alone. */
export function isOfOtherWays(folded: string): boolean {
  return isAboutOtherWays(folded) && !isAboutCalls(folded);
}

/**
 * Phrases for "must not be called", by language, for headers and for the cells of status columns; see `phraseTest` for
 * the notation. Past participles are left out where they tell what happened (`not called`, `nicht kontaktiert`) and not
 * what the person wishes.
 */
export const DO_NOT_CALL: Readonly<Record<string, string>> = {
  en: 'do_not/dont/don_t/not_to_be/must_not/may_not/cannot_be/can_not_be/can_t_be/should_not/shouldn_t/does_not_want/doesn_t_want/not_want/not_wish/not_allow/not_accept/not_consent/not_agree * call/calls/called/calling/recall/callback/phone/phoned/telephone/telephoned/ring/dial/redial/dialled/dialed/contact/contacts/contacted/disturb/solicit | never call/recall/phone/telephone/ring/dial/contact | dnc/dncr/dncl/dncc/ndnc/ndncr/ncpr/dnd/donotcall/donotphone/donotcontact/donottelephone | unsubscribe/unsubscribed/unsub/unsubscribes | opt/opted/opting out | optout/optedout | blacklist/blacklisted/blocklist/blocklisted/denylist/suppressed/suppression/suppress | black/block list/listed | no cold/more/further/phone/telephone/sales/marketing/unsolicited calls/call/calling/contact | no telemarketing/phoning/solicitation/soliciting/solicit | not callable | call/calls/calling/phone/telephone/telephoning/contact/mobile/cell * blocked/blacklisted/barred/forbidden/prohibited/banned/suppressed/unwanted/not_allowed/not_permitted/not_wanted/not_ok/not_okay/opt_out/optout | not_allowed/not_permitted/not_ok/no_permission/no_consent/without_consent/refuses/refused_consent/objects/stop/stops/withdrew_consent * call/calls/calling/phone/contact/telemarketing | no_consent/no_permission call/calls | tps/ctps/remove_from_call…/stoplist/stop_list/exclusion_list',
  de: 'nicht/nie/niemals/keinesfalls * anrufen/anruf/anrufe/anzurufen/telefonieren/kontaktieren/kontaktaufnahme | kein/keine/keinen/keinerlei/ohne * anruf/anrufe/anrufen/telefonanruf/telefonanrufe/telefonanrufen/werbeanrufe/telefonwerbung/telefonkontakt/telefonmarketing/kontaktaufnahme | anruf…/telefon/telefonisch/telefonanruf…/telefonwerbung/telefonkontakt/telefonmarketing/kontakt/kontaktaufnahme/kontaktieren/werbeanruf… * unerwünscht/untersagt/verboten/gesperrt/sperre/verbot/widerspruch/widersprochen/abgelehnt/nicht_erlaubt/nicht_gewünscht/nicht_erwünscht/nicht_zulassen/nicht_gestattet/nicht_zulässig | anrufsperre/telefonsperre/kontaktsperre/anrufverbot/telefonverbot/kontaktverbot/werbesperre/werbewiderspruch/telefonwiderspruch/robinson/robinsonliste/anrufsperrliste/sperrliste/rufsperre/werbestopp/abgemeldet/ausgetragen | keine_einwilligung/keine_erlaubnis/keine_zustimmung * anruf…/telefon…/kontakt…',
  fr: 'ne_pas/ne_plus/ne_jamais/n_accepte_pas/ne_souhaite_pas/ne_veut_pas * appeler/contacter/téléphoner/démarcher/démarchage/déranger/appel/appels/appelé/appelée/contacté/contactée/téléphone/téléphoniques | n_appelez/n_appeler/ne_m_appelez pas/plus | opposé/opposée * appel/appels | pas_d/pas_de/aucun/plus_d * appel/appels/démarchage | refus/refuse/opposition/interdit/interdiction/stop * appel/appels/démarchage/téléphonique/téléphoniques/contact/contacts | appel/appels/appeler/démarchage/contact/téléphone * interdit…/bloqué…/non_autorisé…/opposition | bloctel/lnnte/liste_orange/pacitel/stop_démarchage | liste noire/d_opposition/rouge | désabonné…/désinscrit…/désinscription/désabonnement',
  es: 'no llamar/contactar/telefonear/molestar/llame/llamen/llamarle/contactarle | no_permitir/no_permite/no_desea/no_quiere/no_acepta/no_autoriza/prohibido/prohibir/rechaza * llamar/llamadas/llamada/contacto/contactado/contactada/llamado/llamada/telefónico/telefónicas | sin llamadas | bloquear llamadas | llamadas/llamada/llamar/teléfono/contacto/contactar * bloquead…/prohibid…/no_permitid…/no_autorizad…/no_desead… | lista robinson/negra/exclusión/de_exclusión | robinson/reus/repep/repec/rnp | dado/dada de baja | excluir_de_llamadas/exclusión_de_llamadas',
  pt: 'não/nao ligar/telefonar/contactar/contatar/perturbe/perturbar/incomodar/ligue/chamar | não_permitir/não_permite/não_aceita/não_deseja/não_quer/não_autoriza/proibido/recusa * chamada/chamadas/ligação/ligações/ligar/contato/contacto/contatado/contactado/telefonemas/telefónicas/telefônicas | sem ligações/chamadas | ligações/ligação/chamadas/ligar/contato/contacto/telefone * bloquead…/proibid…/não_autorizad…/não_permitid… | lista negra | descadastrad… | bloqueado_para_ligaç… | repep | procon | não_me_perturbe/não_perturbe/lista_de_exclusão',
  it: 'non * chiamare/contattare/telefonare/disturbare/richiamare/telefonate/chiamate | non_accetta/non_autorizza/non_consente/non_vuole/nessuna/nessun/no * telefonata/telefonate/chiamata/chiamate | nessun contatto | chiamate/chiamata/telefonate/telefonata/contatto/telefono/contattare * vietat…/bloccat…/non_consentit…/non_autorizzat…/non_gradit… | registro * opposizioni | rpo | lista nera/robinson | disiscritt… | revoca/opposizione * chiamate/contatto/telefon…',
  nl: 'niet * bellen/opbellen/contacteren/telefoneren/benaderen/storen/gebeld_worden | geen telefoontjes/oproepen/telefoongesprekken/belcontact/telemarketing/telefonisch… | bellen/telefoongesprekken/oproepen/telefoon/telefonisch/contact * niet_toestaan/niet_toegestaan/niet_gewenst/verboden/geblokkeerd/ongewenst | bel_me_niet/bel_mij_niet/belmeniet/belverbod/belblokkade/recht_van_verzet/uitgeschreven/afgemeld/zwarte_lijst | geen_toestemming * bellen/telefon…/contact',
  sv: 'ring/ringa/ringas/kontakta/kontaktas/telefonera/uppringas * ej/inte/aldrig | ej/inte/aldrig * ring/ringa/ringas/kontakta/kontaktas/uppringas/uppringd/samtal/telefonsamtal | inga * samtal/telefonsamtal/uppringningar/försäljningssamtal | nix/nixtelefon/nixad/nixregistret/nixregister/uppringningsspärr/samtalsspärr/ringspärr/telefonspärr/kontaktspärr/reklamspärr/svartlistad/avregistrerad/avprenumererad | samtal/telefonsamtal/telefon/kontakt * spärrad/blockerad/inte_tillåt…/ej_tillåt…/ej_tillåten',
  da: 'må_ikke/ikke/aldrig/ingen * ringe/ring/ringes/ringes_op/kontakte/kontaktes/opkald/telefonopkald/telefonsalg/telefoneres | ring/opkald/kontakt/kontaktes * ikke/aldrig/forbudt/spærret/ikke_tilladt/frabedes | robinsonlisten/robinsonliste/robinson/afmeldt/sortlistet/sortliste',
  nb: 'ikke/må_ikke/skal_ikke/aldri/ingen * ringe/ring/ringes/kontakt/kontakte/kontaktes/oppringning/oppringninger/telefonsamtaler/samtaler/anrop/telefonsalg | ring/anrop/oppringning/kontakt/kontaktes * ikke/aldri/forbudt/sperret/ikke_tillatt | ønsker_ikke/vil_ikke * oppringt | reservert/reservasjon * telefon…/telefonsalg | reservasjonsregisteret/ringesperre/telefonsperre/kontaktsperre/svartelistet/svarteliste/avmeldt',
  fi: 'älä/ei/ei_saa/ei_halua/ei_sallita * soita/soittaa/soittoja/soitto/puheluita/puheluja/puhelinsoittoja/yhteyttä/puhelinmyyntiä/puhelinmarkkinointia/kontaktoida | soittokielto/puhelinkielto/puhelukielto/yhteydenottokielto/suoramarkkinointikielto/markkinointikielto/puhelinmarkkinointikielto/puhelinmyyntikielto/estolista/soitonesto | puhelut/soitot/soittaminen/yhteydenotot * kielletty/estetty/ei_sallittu | musta_lista',
  pl: 'nie * dzwonić/dzwoń/dzwonimy/telefonować/kontaktować/niepokoić | niedzwonić/niedzwonienie/niedzwonienia | nie_zezwalaj/nie_zezwala/nie_wyraża_zgody/nie_życzy/brak_zgody/zakaz/odmowa/sprzeciw/bez * dzwonienia/dzwonić/telefonowania/telefon…/połącze…/kontakt…/rozmów | połączenia/telefon/kontakt/dzwonienie/telefony * zakaz…/zablokowan…/zabronion…/niedozwolon… | robinson… | czarna lista | wypisan…/wyrejestrowan…',
  ru: 'не * звонить/звоните/беспокоить/контактировать/связываться/тревожить/обзванивать/прозванивать | без/запрет/отказ/запретить/нельзя/не_разрешать/не_разрешает/отказался/отказалась/не_согласен/нет_согласия/отсутствует_согласие/стоп * звонить/звонков/звонки/звонок/звонка/звонкам/контакт…/обзвон…/связь/телефон… | звонки/звонок/звонить/обзвон/контакт/телефон * запрещ…/запрет/заблокирован…/не_разреш…/нежелательн… | черный/чёрный список | стоп лист/лист/листе/листа/список/списке | стоплист | отписан…/отписался/отписалась/отписка',
  uk: 'не * дзвонити/телефонувати/турбувати/контактувати/телефонуйте/дзвоніть/зв_язуватися | без/заборона/відмова/не_дозволяти/немає_згоди/стоп * дзвін…/дзвон…/телефон…/контакт… | дзвінки/дзвінок/телефон/контакт * заборонен…/заблокован… | чорний список | стоп лист/список | стоплист | відписан…/відписався/відписалася',
  bg: 'не * звънете/звъни/звънене/обаждайте/обажда/обаждания/контактувайте/безпокойте | без обаждания | обаждания/обаждане * забранен…/забрана/блокиран… | черен списък',
  cs: 'nevolat/nevolejte/netelefonovat/nekontaktovat/nekontaktujte/nerušit | zákaz/nepovolit/nepovolovat/nesouhlas…/bez/žádné/odmítá/nepřeje_si * volat/volání/telefon…/kontakt…/hovor… | volání/hovory/telefonování/kontakt/kontaktování * zakázán…/zablokován…/nepovolen…/nepovolit/zakázat | odhlášen…/robinson | černá_listina/blacklist',
  sk: 'nevolať/nevolajte/netelefonovať/nekontaktovať/nekontaktujte/nerušiť | zákaz/nepovoliť/nesúhlas…/bez/žiadne/odmieta/neželá_si * volať/volan…/telefon…/kontakt…/hovor… | volania/hovory/telefonovanie/kontakt * zakázan…/zablokovan…/nepovolen…/nepovoliť | odhlásen…/čierna_listina',
  hu: 'ne hívja/hívd/hívjuk/hívni/hívják/keresse/keressük/keressék/zavarja/zavarjuk/telefonáljon/telefonáljunk | nem * hívható/kereshető/hívandó/kér_hívást/kontaktálható/telefonálható | telefonhívás…/hívás…/megkeresés…/telefonos * tiltás…/tiltva/tilos/letilt…/nem_engedélyez…/tiltott | hívástilt…/tiltólist…/hívástilalom/robinson_lista/leiratkozott/feketelista',
  ro: 'nu * suna/sunați/apela/apelați/telefona/contacta/contactați/deranja/deranjați/contactat | fără/interzis/interzise/refuză/nu_permite/nu_dorește/nu_acceptă * apel/apeluri/apelat/telefon…/contact… | apeluri/apel/telefon/contact/contactare * interzis…/blocat…/nepermis…/refuzat… | lista neagră | dezabonat…',
  tr: 'aramayın…/aramayiniz/aranmasın/aranmayacak…/aranmamalı/iletişime_geçmeyin…/rahatsız_etmeyin…/arama_yapma…/arama_yapılmasın/arama_yapılamaz/telefon_etmeyin… | arama/aranma/aranmak/telefon/telefonla/çağrı/iletişim * yasak…/engel…/izni_yok/izin_yok/istemiyor/reddi/reddetti/yapılmasın/yapılamaz/izin_vermiyor/onayı_yok | kara liste… | aranmak istemiyor',
  el: 'μη/μην/χωρίς/όχι/απαγόρευση/άρνηση/δεν_επιτρέπ…/δεν_επιθυμεί * καλείται/καλείτε/καλέσετε/καλέσεις/καλέσουμε/ξανακαλ…/ξαναπάρ…/ξανατηλεφ…/κλήσεις/κλήση/κλήσεων/τηλεφων…/επικοινων…/ενοχλ… | κλήσεις/κλήση/τηλέφωνο/επικοινωνία * απαγορ…/αποκλεισμ…/δεν_επιτρέπ… | μαύρη λίστα | μητρώο * άρθρου_11 | αρθρου_11',
  lt: 'neskambinti/neskambinkite/neskambink/nekontaktuoti/nekontaktuokite/nesusisiekti/netrukdyti | draudžiama/draudimas/neleisti/neleidžia/nesutinka/nesutikimas/nenori/be/atsisakė/atsisako * skamb…/telefonu/kontakt…/susisiek… | skambučiai/skambinti/skambučius/skambinimas * draudžia…/uždraust…/negalima/neleidžia… | juodasis sąrašas',
  lv: 'nezvanīt/nezvaniet/nezvani/nekontaktēt/nesazināties/netraucēt | aizliegts/aizliegums/neatļaut/neatļauj/nevēlas/atteicās/atteikums/bez/nepiekrīt * zvan…/telefon…/sazin…/kontakt… | zvani/zvanīt/zvanus/zvanīšana * aizlie…/bloķēt…/nav_atļaut… | melnais saraksts',
  et: 'mitte/ära/ärge/ei_tohi/ei_soovi/keelatud/keeld * helista…/kõned/kõnesid/ühendust/kontakteeru… | kõned/helistamine/helistada * keelatud/ei_tohi/mitte | must nimekiri',
  hr: 'ne zvati/zovi/zovite/nazivati/kontaktirati/klicati/kliči/kličite/uznemiravati/pozivati/telefonirati/vznemirjaj | nemoj…/bez/zabrana/zabranjen…/prepoved…/prepovedan…/odbija/ne_želi/ne_dozvoli * zvati/zvanj…/poziv…/klic…/kontakt…/telefon… | pozivi/poziv/klici/kontakt/zvanje/klicanje * zabranjen…/blokiran…/prepovedan…/ni_dovoljen… | crna/črna lista/seznam | не звати/зови/зовите/контактирати',
  id: 'jangan/tidak_boleh/tidak_ingin/tidak_mau/tidak_bersedia/tidak_setuju/tidak_diizinkan/dilarang/tanpa/tolak/menolak * telepon…/ditelepon/telpon/ditelpon/telefon/hubungi/dihubungi/menghubungi/panggil…/dipanggil/kontak/dikontak/ganggu/diganggu/menelepon | panggilan/telepon/menelepon/kontak * dilarang/diblokir/ditolak/tidak_diizinkan/disekat | daftar/senarai hitam | berhenti berlangganan',
  vi: 'không_được/không_nên/không_muốn/không_cho_phép/không_đồng_ý/không_nhận/đừng/cấm/chặn/từ_chối * gọi/gọi_điện/liên_hệ/điện_thoại/làm_phiền/cuộc_gọi | không gọi/gọi_điện/liên_hệ/làm_phiền | danh_sách_đen | chặn cuộc_gọi',
  hi: 'कॉल/काल/फोन/संपर्क/सम्पर्क * न/ना/मत/नहीं कर…/करें/करना/चाहि…/चाहते | कॉल/फोन/संपर्क * मना/निषेध/निषिद्ध/प्रतिबंधित/अवरुद्ध/वर्जित/अनुमति_नहीं/सहमति_नहीं | डीएनडी/डीएनसी/ब्लैकलिस्ट',
  ar: 'لا تتصل/تتصلوا/يتصل/تتصلي/نتصل/تزعج/للاتصال/لاتصال | عدم/ممنوع/يمنع/حظر/رفض/يرفض/منع/بدون الاتصال/اتصال/اتصالات/الاتصالات/بالاتصال/المكالمات/مكالمات/التواصل/الإزعاج/الازعاج | عدم_الموافقة/عدم_السماح/عدم_الرغبة/لا_يرغب/لا_ترغب/لا_يريد/لا_تريد/لا_يسمح/لا_ارغب/غير_مسموح/لا_أوافق/لا_يوافق * الاتصال/بالاتصال/اتصال/اتصالات/المكالمات/مكالمات/التواصل/بالتواصل/الهاتف… | الاتصال/المكالمات/التواصل/اتصال * ممنوع…/محظور…/مرفوض…/غير_مسموح… | القائمة السوداء | قائمة سوداء',
  fa: 'تماس/زنگ نگیرید/نگیر/نگیرند/نزنید/نزن/گرفته_نشود/ممنوع | تماس نگرفته شود | عدم/ممنوعیت/بدون/منع تماس | عدم_رضایت/عدم_اجازه/عدم_تمایل * تماس/تلفن… | تماس * ممنوع/غیرمجاز/غیر_مجاز/مجاز_نیست | مایل * تماس نیست | مزاحم نشوید | لیست سیاه',
  ur: 'کال/فون/رابطہ/کالز * نہ/مت/نہیں کریں/کرو/کرنا/کی/چاہتے/چاہیے | کال/فون/رابطہ * منع/ممنوع/اجازت_نہیں/بلاک | بلیک لسٹ',
  he: 'לא/אל/אין/נא_לא/אסור/לא_רוצה/לא_מעוניין/לא_מעוניינת להתקשר/תתקשר/תתקשרו/לחייג/לצלצל/לטלפן/ליצור_קשר/לפנות/להפריע/שיחות/בשיחות | אין_אישור/ללא_אישור/אין_הסכמה/ללא_הסכמה/סירוב/מסרב/לא_מאשר/חסום/חסומה * להתקשר/להתקשרות/לשיחות/לשיחה/ליצירת_קשר/לקבלת_שיחות/שיחות/לטלפון | שיחות/התקשרות * חסומ…/אסור…/חסימה | רשימה שחורה',
  th: '=ห้ามโทร/อย่าโทร/งดโทร/ไม่ต้องโทร/ไม่ให้โทร/ไม่อนุญาตให้โทร/ไม่ยินยอมให้โทร/ไม่ต้องการให้โทร/ไม่ประสงค์ให้โทร/ไม่ต้องการรับสาย/ไม่ประสงค์รับสาย/ห้ามติดต่อ/อย่าติดต่อ/งดติดต่อ/ไม่อนุญาตให้ติดต่อ/ไม่ยินยอมให้ติดต่อ/ไม่ต้องการให้ติดต่อ/ไม่ประสงค์ให้ติดต่อ/ห้ามรบกวน/บัญชีดำ',
  ja: '=架電禁止/架電不可/架電ng/架電拒否/架電停止/架電しない/荷電禁止/荷電不可/荷電ng/荷電拒否/荷電停止/電話禁止/電話不可/電話ng/電話拒否/電話停止/電話しない/電話をしない/電話をかけない/電話お断り/電話連絡不可/電話連絡禁止/電話連絡不要/電話不要/連絡不要/着信拒否/営業電話ng/営業電話不可/営業電話お断り/電話営業ng/電話勧誘拒否/電話勧誘お断り/勧誘拒否/勧誘お断り/連絡不可/連絡禁止/連絡拒否/連絡ng/コンタクト不可/コンタクト禁止/コール禁止/コール不可/コールng/テレアポ禁止/テレアポ不可/テレアポng/発信禁止/発信不可/発信拒否/営業お断り/ブラックリスト/オプトアウト',
  zh: '=请勿致电/勿致电/请勿来电/请勿拨打/勿拨打/请勿打电话/勿电/禁止致电/禁止来电/禁止拨打/禁止呼叫/禁止外呼/禁止联系/禁止打电话/禁呼/禁拨/不要致电/不要拨打/不要来电/不要打电话/不要联系/请勿联系/勿联系/勿扰/请勿打扰/免打扰/拒绝来电/拒绝致电/拒绝电话/拒绝联系/拒绝外呼/拒绝推销/不接受电话/不接受来电/不可致电/不可拨打/不可外呼/不可联系/不允许致电/不允许拨打/不允许来电/不允许电话/不允许联系/不允许外呼/不同意致电/不同意来电/不同意电话/不同意联系/谢绝来电/谢绝致电/谢绝电话/谢绝推销/黑名单/退订/停止致电/停止联系/禁止营销/勿扰名单 | =請勿致電/勿致電/請勿來電/請勿撥打/勿撥打/請勿打電話/禁止致電/禁止來電/禁止撥打/禁止聯絡/禁止打電話/不要致電/不要撥打/不要打電話/不要聯絡/請勿聯絡/勿聯絡/請勿聯繫/勿擾/請勿打擾/免打擾/拒絕來電/拒絕致電/拒絕電話/拒絕聯絡/不接受電話/不接受來電/不可致電/不可撥打/不可聯絡/不允許致電/不允許來電/不允許電話/不允許聯絡/不同意致電/不同意來電/不同意電話/不同意聯絡/謝絕來電/謝絕致電/謝絕電話/謝絕推銷/黑名單',
  ko: '=전화금지/통화금지/연락금지/전화거부/통화거부/연락거부/수신거부/전화하지마/전화하지말/연락하지마/연락하지말/전화하지않/연락하지않/전화불가/전화원치않/전화를원하지/연락을원하지/콜금지/콜거부/발신금지/전화차단/전화권유거부/전화마케팅거부/블랙리스트/두낫콜/수신거부/텔레마케팅거부',
};

/**
 * Ambiguous phrases: `No calls` may also be short for the number of calls, and `No contact` may mean that nobody was
 * reached. They count in a header whose column holds yes and no, and never in a cell of a status column.
 */
const PERHAPS: Readonly<Record<string, string>> = {
  en: 'no calls/call/calling/contact/phone/phonecalls',
  de: 'kein/keine kontakt/kontakte/telefon',
  es: 'no llamadas/llamada/contacto',
  pt: 'não ligações/chamadas/contato/contacto',
  nl: 'geen contact/telefoon',
  sv: 'ingen/inga kontakt/kontakter',
};

/** A header with one of these words is about do-not-call data but is not the flag itself: `DNC checked`, `DNC code`. */
const ABOUT_IT =
  'check/checked/scrub/scrubbed/lookup/verified/verification/updated/modified/link/url/page/message/text_sent/code/count/email_id/before/after/between/hours/clock/deadline/due/version/geprüft/vérifié/verificado/verificato/gecontroleerd/frist/délai/plazo/prazo | number of';

/** Matches phrases of another meaning that contain a phrase of `DO_NOT_CALL`. */
export const isNotMeant = phraseTest(
  'không gọi/liên_hệ được | no call/calls no/or | no_call no_show',
);

const says = phraseTest(Object.values(DO_NOT_CALL).join(' | '));
const perhaps = phraseTest(Object.values(PERHAPS).join(' | '));
const isAboutIt = phraseTest(ABOUT_IT);

/**
 * Whether a folded header says that somebody is not to be called. `perhaps`: the header alone does not decide this;
 * `turned`: it may say the opposite, as `Removed from DNC`.
 */
export function namesDoNotCall(folded: string): boolean | 'perhaps' | 'turned' {
  if (isAboutIt(folded) || isNotMeant(folded)) return false;
  if (refuses(folded)) return isTurned(withoutNumberSign(folded), refuses) ? 'turned' : true;
  return perhaps(folded) && 'perhaps';
}

/** True when a folded text has the words of a refusal of calls, perhaps turned by others beside them. */
export function refuses(folded: string): boolean {
  if (isNotMeant(folded)) return false;
  const isOfCalls = isAboutCalls(folded) || isAboutTouch(folded);
  const isOfPhone = isOfCalls || isAboutPhone(folded);
  return (
    says(folded) ||
    isLegal(folded) ||
    (isOfPhone && isUnwilling(folded)) ||
    (isOfCalls && isKeptOut(folded)) ||
    (isTakenOff(folded) && (isOfCalls || isOfList(folded) || isAsked(folded))) ||
    (isConsent(folded) && isRevoked(folded)) ||
    (isObjection(folded) && (isOfPhone || isOfPrivacy(folded)))
  );
}
