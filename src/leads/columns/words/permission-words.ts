import { phraseTest } from '../../../text/phrases.ts';

/** Words for calling, in the languages of `DO_NOT_CALL`; words for the telephone alone are in `PHONES`. */
const CALLS =
  'call/calls/called/calling/callable/voice/dialler/dialer/dialling/dialing/dial/ring/rings/telemarketing/dnc/dnd/donotcall/tps/ctps/phone_calls | anruf…/anzuruf…/angerufen/telefonier…/telefonwerbung/telefonanruf…/werbeanruf… | appel/appels/appeler/appelé…/téléphoner/démarch…/bloctel/voix | llamar…/llamada…/llame/llamen/llamad…/telefonear/voz | ligar/ligaç…/chamada…/telefonar/telefonemas | chiamar…/chiamat…/telefonare/telefonat… | bellen/opbellen/gebeld/belverbod/telefoneren/telefoongesprekken/oproepen/telefoontjes | ringa/ringas/ringe/ringes/ringet/ringt/uppringd/oppringt/samtal/telefonsamtal/uppringning…/opkald/telefonopkald/anrop/oppringning… | soitta…/soitto…/puhelut/puheluita/puheluja | dzwon…/dzwoń/telefonowa…/połącze… | звон…/звоните/позвон…/обзвон… | дзвон…/дзвін…/телефонувати | звънене/обажда… | volat/volání/nevolat/zavolat/volať/volan…/nevolať/zavolať | hívás…/hív…/telefonál… | apel/apelul/apeluri/apelurile/apelurilor/apela/apelat/suna/sunat | arama/aran…/aramayın…/çağrı | κλήσ…/κλήσεις/καλε…/καλέ…/τηλεφωνή…/ξανακαλ…/ξανατηλεφ… | skamb…/neskamb… | zvan…/zvanīt/nezvan… | helista…/kõne… | zvati/zovi/poziv…/pozivi/klic…/klicati | telepon/ditelepon/menelepon/panggilan | gọi/cuộc_gọi | कॉल/काल | الاتصال/اتصال/بالاتصال/للاتصال/اتصالات/المكالمات/مكالمات/تتصل | تماس/زنگ | کال/کالز | להתקשר/תתקשר…/יתקשר…/התקשרות/חיוג/לחיוג/להתקשרות/שיחות/לשיחות/לחייג | =架電/荷電/コール/テレアポ/致电/致電/拨打/撥打/来电/來電/外呼/呼叫/打电话/打電話/통화/콜/전화해/전화하/โทร/รับสาย';

/** Words for the telephone, and below (`TOUCH`) for contact of any kind. */
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
