import type { ListField } from '../../../domain/lists/list-mapping.ts';
import { phraseTest } from '../../../text/fold-words.ts';

/** Words for the telephone, anywhere in a header; those of `MOBILE` count, too. See `phraseTest`. */
const PHONES =
  'phone/phones/telephone/telephonenumber/tel/msisdn/phonenumber/landline/ph | telefon/telefonnummer/telefonnr/telnr/rufnummer/festnetz/festnetznummer | téléphone/téléphones/tél/fixe | teléfono/teléfonos/fijo/tlf/tfno/tlfno | telefone/telefones | telefono/fisso | telefoon/telefoonnummer/telefoonnr | tlfnr | puhelin/puhelinnumero/puhelinnro/puh/lankapuhelin/lankapuhelinnumero | telefonu/telefony | телефон/телефона/телефоны/тел | телефону/мобільному | telefonní | telefónne/telefónu | telefonszám/telefonszáma | telefonul | telefonları | τηλέφωνο/τηλεφώνου/τηλέφωνα/τηλ/σταθερό/σταθερού | telefonas | telefons/telefona/tālrunis/tālruņa | telefoninumber | telepon/telpon | điện_thoại/sđt/sdt | फोन/दूरभाष | هاتف/الهاتف/تلفون/التلفون/تليفون/التليفون | تلفن | فون/ٹیلیفون/ٹیلی_فون | טלפון/טל | 연락처 | =電話/电话/전화/โทรศัพท์/เบอร์โทร/เบอร์ติดต่อ';

/** Whole headers that mean a number to call. */
const PHONE_NAMES =
  /^(?:number|contact number|contact no|contact num|to|to number|destination|callee|numero|nummer|dial number|номер|شماره|شماره تماس|رقم التواصل|رقم الاتصال|nomor|เบอร)$/;

/** Words in a header that say that its cells are not numbers to call, or not phone numbers at all. */
const NO_NUMBER =
  'fax/telefax/faxnummer/pager/telex/tty/isdn/type/label/ext/extension/email/mail/account/owner/count/url/id/not/dnc/status/time/date/timezone/zone/country/code/carrier/typ/durchwahl/opt/opted/verified/valid/consent/attempts/calls/blacklisted/blocked/suppressed/notes/note/provider/operator | faks/faksi/faksin/faksas/fakss/faksimile/telefaks/telefaksi/télécopie/télécopieur/факс/φαξ/فاكس/الفاكس/فکس/פקס/फैक्स | =ファックス/ファクス/传真/傳真/팩스/แฟกซ์/โทรสาร/備考/メモ/履歴/種別/回数/時間/日時/結果/状況/类型/备注/记录/次数/时间/类别/區號/区号/메모/종류/횟수/시간/기록/ประเภท/หมายเหตุ';

/** Words for people other than the lead whose number a column may hold: these people are not called. */
const OTHER_PEOPLE: Readonly<Record<string, string>> = {
  en: 'agent/agents/referrer/referer/referral/referred/referee/spouse/spouses/partner/partners/husband/wife/fiance/fiancee/emergency/ice/kin/lawyer/attorney/solicitor/counsel/barrister/assistant/assistants/asst/secretary/parent/parents/guardian/mother/father/mom/mum/dad/child/son/daughter/brother/sister/sibling/relative/carer/caregiver/employer/employers/supervisor/guarantor/cosigner/coborrower/coapplicant/beneficiary/roommate/neighbor/neighbour/realtor/broker/personal_reference | co applicant/borrower/signer | sales_rep/salesperson',
  de: 'agent/makler/maklerin/vermittler/empfehler/empfehlungsgeber/werber/ehepartner/ehepartnerin/ehegatte/ehefrau/ehemann/partner/partnerin/lebenspartner/notfall/notfallkontakt/notfallnummer/notfalltelefon/angehörige/angehöriger/angehörigen/anwalt/anwältin/rechtsanwalt/assistent/assistentin/assistenz/sekretariat/sekretärin/eltern/elternteil/mutter/vater/vormund/betreuer/erziehungsberechtigte/erziehungsberechtigter/arbeitgeber/bürge/ansprechpartner_notfall',
  fr: 'agent/parrain/apporteur/recommandé_par/conjoint/conjointe/époux/épouse/mari/femme/partenaire/urgence/urgences/proche/avocat/avocate/assistant/assistante/secrétaire/secrétariat/parent/parents/mère/père/tuteur/tutrice/employeur/garant/courtier',
  es: 'agente/referido/referidor/cónyuge/esposo/esposa/marido/pareja/emergencia/emergencias/urgencia/familiar/pariente/abogado/abogada/asistente/secretaria/secretario/padre/madre/padres/tutor/tutora/empleador/avalista/aval/corredor',
  pt: 'agente/indicador/indicado_por/indicação/cônjuge/esposo/esposa/marido/parceiro/parceira/emergência/familiar/parente/advogado/advogada/assistente/secretária/secretário/pai/mãe/tutor/empregador/fiador/corretor',
  it: 'agente/segnalatore/coniuge/marito/moglie/partner/emergenza/emergenze/parente/familiare/avvocato/assistente/segretaria/segreteria/genitore/genitori/madre/padre/tutore/datore/garante/mediatore',
  nl: 'agent/makelaar/verwijzer/doorverwijzer/aanbrenger/echtgenoot/echtgenote/partner/nood/noodgeval/noodgevallen/noodcontact/noodnummer/familielid/nabestaande/advocaat/assistent/assistente/secretaresse/ouder/ouders/moeder/vader/voogd/werkgever/borg',
  sv: 'agent/mäklare/hänvisare/tipsare/maka/partner/sambo/nödkontakt/nödfall/anhörig/anhöriga/närmast/närmaste/advokat/assistent/sekreterare/förälder/föräldrar/mamma/pappa/mor/far/vårdnadshavare/arbetsgivare/borgensman/ice',
  da: 'agent/mægler/henviser/ægtefælle/partner/samlever/nødkontakt/nødstilfælde/pårørende/advokat/assistent/sekretær/forælder/forældre/mor/far/værge/arbejdsgiver/kautionist',
  nb: 'megler/henvist_av/ektefelle/samboer/nødkontakt/nødstilfelle/pårørende/forelder/foresatt/foresatte/verge/arbeidsgiver',
  fi: 'agentti/agentin/välittäjä/välittäjän/suosittelija/suosittelijan/puoliso/puolison/kumppani/kumppanin/hätäyhteyshenkilö/hätäyhteyshenkilön/hätäyhteys/hätänumero/lähiomainen/lähiomaisen/omainen/omaisen/asianajaja/asianajajan/assistentti/assistentin/avustaja/avustajan/sihteeri/sihteerin/vanhempi/vanhemman/äiti/äidin/isä/isän/huoltaja/huoltajan/työnantaja/työnantajan/takaaja/takaajan',
  pl: 'agent/agenta/pośrednik/pośrednika/polecający/polecającego/małżonek/małżonka/współmałżonka/mąż/męża/żona/żony/partner/partnera/alarmowy/nagłych/wypadku/bliski/bliskiej/krewny/krewnego/adwokat/adwokata/prawnik/prawnika/asystent/asystenta/asystentka/sekretariat/rodzic/rodzica/rodzice/matka/matki/ojciec/ojca/opiekun/opiekuna/pracodawca/pracodawcy/poręczyciel',
  ru: 'агент/агента/риелтор/посредник/рекомендатель/рекомендателя/рекомендовал/супруг/супруга/супруги/муж/мужа/жена/жены/партнер/партнера/экстренный/экстренной/экстренного/родственник/родственника/близкого/адвокат/адвоката/юрист/юриста/ассистент/ассистента/помощник/помощника/секретарь/секретаря/родитель/родителя/родители/родителей/мать/матери/отец/отца/опекун/опекуна/работодатель/работодателя/поручитель/поручителя',
  uk: 'агента/дружина/дружини/чоловіка/подружжя/партнера/екстрений/екстреного/родич/родича/адвоката/помічника/секретаря/батьки/батьків/матері/батька/опікуна/роботодавця/поручителя',
  bg: 'съпруг/съпруга/спешен/спешни/родител/настойник/работодател/асистент',
  cs: 'agent/agenta/makléř/makléře/doporučitel/manžel/manžela/manželka/manželky/partner/partnera/nouzový/nouze/nouzové/příbuzný/příbuzného/advokát/advokáta/právník/právníka/asistent/asistenta/asistentka/asistentky/sekretářka/rodič/rodiče/matka/matky/otec/otce/opatrovník/zástupce/zaměstnavatel/zaměstnavatele/ručitel/ručitele',
  sk: 'agenta/maklér/makléra/manžela/manželky/manželka/partnera/núdzový/núdzové/príbuzný/príbuzného/advokát/advokáta/právnik/právnika/asistenta/asistentky/rodič/rodiča/rodičia/matky/otca/opatrovník/zamestnávateľ/zamestnávateľa/ručiteľ',
  hu: 'ügynök/közvetítő/ajánló/házastárs/házastársa/férj/férje/feleség/felesége/partner/vészhelyzeti/sürgősségi/hozzátartozó/hozzátartozója/ügyvéd/ügyvédje/asszisztens/titkárnő/titkárság/szülő/szülője/anya/anyja/apa/apja/gyám/gyámja/munkáltató/munkáltatója/kezes',
  ro: 'agentul/agentului/recomandat_de/soț/soția/soție/soțului/soției/partener/partenerului/urgență/urgențe/rudă/rudei/avocat/avocatului/asistent/asistentului/secretară/părinte/părintelui/părinți/mamă/mamei/tată/tatălui/tutore/tutorelui/angajator/angajatorului/garant',
  tr: 'acente/temsilci/referans/eş_telefonu/eşi/eşinin/partner/ortak/acil/yakın/yakını/yakınının/akraba/avukat/avukatı/avukatının/asistan/asistanı/sekreter/veli/velisi/velinin/ebeveyn/anne/annesi/baba/babası/vasi/vasisi/işveren/işvereni/kefil',
  el: 'πράκτορα/πράκτορας/μεσίτη/συστήνοντος/συζύγου/σύζυγος/συντρόφου/σύντροφος/ανάγκης/έκτακτης/συγγενή/συγγενής/δικηγόρου/δικηγόρος/βοηθού/βοηθός/γραμματέα/γονέα/γονέας/γονέων/μητέρας/πατέρα/κηδεμόνα/κηδεμόνας/εργοδότη/εργοδότης/εγγυητή',
  lt: 'agento/agentas/sutuoktinio/sutuoktinis/partnerio/partneris/skubios/nelaimės/artimojo/artimasis/giminaičio/advokato/advokatas/asistento/asistentas/sekretorės/tėvo/tėvų/motinos/globėjo/globėjas/darbdavio/darbdavys/laiduotojo',
  lv: 'aģenta/aģents/laulātā/laulātais/vīra/sievas/partnera/partneris/ārkārtas/neatliekamais/radinieka/tuvinieka/tuvinieks/advokāta/advokāts/asistenta/asistents/sekretāres/vecāka/vecāku/mātes/tēva/aizbildņa/aizbildnis/darba_devēja/darba_devējs/galvotāja',
  et: 'agendi/abikaasa/elukaaslase/partneri/hädaabi/lähedase/advokaadi/assistendi/sekretäri/vanema/vanemate/ema/isa/eestkostja/tööandja/käendaja',
  hr: 'agenta/supružnik/supružnika/bračnog/hitni/hitne/hitnost/rodbina/odvjetnik/odvjetnika/advokata/pomoćnik/pomoćnika/asistenta/roditelj/roditelja/majke/oca/skrbnik/skrbnika/staratelj/poslodavac/poslodavca/jamac/zakonca/partnerja/staršev/delodajalca',
  id: 'agen/perujuk/referensi/pasangan/suami/istri/isteri/darurat/kecemasan/kerabat/keluarga/pengacara/peguam/asisten/sekretaris/orang_tua/orangtua/ibu/ayah/wali/penjaga/majikan/atasan/penjamin',
  vi: 'đại_lý/người_giới_thiệu/vợ_chồng/chồng/bạn_đời/khẩn_cấp/người_thân/luật_sư/trợ_lý/thư_ký/phụ_huynh/cha_mẹ/bố_mẹ/người_giám_hộ/giám_hộ/chủ_lao_động/người_bảo_lãnh/môi_giới',
  hi: 'एजेंट/दलाल/संदर्भदाता/पति/पत्नी/जीवनसाथी/साथी/आपातकालीन/आपात/परिजन/रिश्तेदार/वकील/सहायक/सचिव/माता/पिता/अभिभावक/संरक्षक/नियोक्ता/गारंटर',
  ar: 'الوكيل/وكيل/المحيل/المرجع/الزوج/الزوجة/زوج/زوجة/الشريك/شريك/الطوارئ/طوارئ/للطوارئ/القريب/قريب/الأقارب/المحامي/محامي/المحامية/المساعد/مساعد/المساعدة/السكرتير/السكرتيرة/الوالد/الوالدة/الوالدين/الأب/الأم/الوصي/ولي/صاحب_العمل/الكفيل',
  fa: 'نماینده/معرف/همسر/شوهر/شریک/اضطراری/بستگان/خویشاوند/وکیل/دستیار/منشی/پدر/مادر/والدین/قیم/سرپرست/کارفرما/ضامن',
  ur: 'ایجنٹ/حوالہ/شوہر/بیوی/شریک_حیات/ہنگامی/رشتہ_دار/وکیل/معاون/سیکرٹری/والد/والدہ/والدین/سرپرست/آجر/ضامن',
  he: 'סוכן/סוכנת/מפנה/ממליץ/בן_זוג/בת_זוג/הבעל/האישה/שותף/שותפה/חירום/קרוב/קרובה/קרוב_משפחה/עורך_דין/עו_ד/עוזר/עוזרת/מזכירה/מזכירות/הורה/הורים/אמא/אבא/אפוטרופוס/מעסיק',
  ja: '=代理人/代理店/紹介者/紹介元/配偶者/夫/妻/パートナー/緊急/親族/家族/近親者/弁護士/秘書/アシスタント/保護者/父親/母親/両親/後見人/雇用主/保証人/仲介',
  zh: '=代理/经纪/推荐人/介绍人/引荐/配偶/丈夫/妻子/爱人/伴侣/紧急/亲属/家属/律师/助理/秘书/家长/父亲/母亲/父母/监护人/雇主/担保人/中介/經紀/推薦人/介紹人/愛人/伴侶/緊急/親屬/家屬/律師/秘書/家長/父親/母親/監護人/擔保人/仲介',
  ko: '=대리인/중개/추천인/소개자/배우자/남편/아내/파트너/비상/긴급/응급/친척/가족/보호자/변호사/비서/어시스턴트/부모/아버지/어머니/후견인/고용주/보증인/에이전트',
  th: '=ตัวแทน/นายหน้า/ผู้แนะนำ/คู่สมรส/สามี/ภรรยา/ฉุกเฉิน/ญาติ/ทนาย/ผู้ช่วย/เลขา/ผู้ปกครอง/บิดา/มารดา/พ่อแม่/นายจ้าง/ผู้ค้ำประกัน/หุ้นส่วน',
};

/** Words for numbers out of use, which may belong to somebody else. */
const DEAD: Readonly<Record<string, string>> = {
  en: 'former/formerly/old/previous/prev/prior/past/ex/invalid/wrong/bad/incorrect/disconnected/dead/inactive/obsolete/outdated/unreachable/nonworking/defunct/expired/archived/deprecated/historical | not/non working | no_longer | out_of service',
  de: 'alte/alter/altes/ehemalige/ehemaliger/ehemaliges/ehemals/frühere/früherer/früheres/vorherige/vorheriger/bisherige/ungültig/ungültige/ungültiger/falsch/falsche/falscher/abgeschaltet/abgeschaltete/inaktiv/inaktive/veraltet/veraltete/tot',
  fr: 'ancien/ancienne/anciens/précédent/précédente/ex/invalide/erroné/erronée/faux/fausse/mauvais/mauvaise/déconnecté/inactif/inactive/obsolète/désactivé/hors_service/périmé',
  es: 'antiguo/antigua/anterior/anteriores/viejo/vieja/ex/inválido/inválida/no_válido/erróneo/errónea/incorrecto/incorrecta/equivocado/equivocada/malo/desconectado/inactivo/obsoleto/fuera_de_servicio',
  pt: 'antigo/antiga/anterior/anteriores/velho/inválido/inválida/errado/errada/incorreto/desligado/desconectado/inativo/inativa/desativado/obsoleto',
  it: 'vecchio/vecchia/precedente/precedenti/ex/non_valido/invalido/errato/errata/sbagliato/sbagliata/disconnesso/inattivo/disattivato/obsoleto',
  nl: 'oud/oude/voormalig/voormalige/vorig/vorige/vroegere/ongeldig/ongeldige/fout/foute/verkeerd/verkeerde/onjuist/afgesloten/inactief/verouderd',
  sv: 'gammal/gammalt/gamla/tidigare/föregående/före_detta/ogiltig/ogiltigt/fel/felaktig/felaktigt/avstängd/avstängt/inaktiv/inaktivt/urkopplad',
  da: 'gammel/gammelt/gamle/tidligere/forrige/ugyldig/ugyldigt/forkert/fejl/nedlagt/inaktiv/inaktivt/afbrudt/lukket',
  nb: 'feil/utgått/frakoblet/inaktivt',
  fi: 'vanha/entinen/aiempi/aikaisempi/edellinen/virheellinen/väärä/mitätön/kelvoton/suljettu/poistettu/passiivinen/vanhentunut',
  pl: 'stary/stara/poprzedni/poprzednia/dawny/były/nieprawidłowy/nieprawidłowa/nieważny/błędny/błędna/zły/zła/nieaktywny/nieaktywna/odłączony/nieaktualny/nieaktualna',
  ru: 'старый/старого/предыдущий/прежний/бывший/недействительный/недействителен/неверный/неправильный/ошибочный/отключен/отключенный/неактивный/нерабочий/устаревший',
  uk: 'старий/попередній/колишній/недійсний/невірний/неправильний/помилковий/відключений/неактивний/застарілий',
  bg: 'стар/предишен/бивш/невалиден/грешен/изключен/неактивен',
  cs: 'starý/staré/předchozí/bývalý/dřívější/neplatný/neplatné/špatný/špatné/chybný/chybné/odpojený/odpojené/neaktivní/zrušený/zrušené/neaktuální',
  sk: 'predchádzajúci/predchádzajúce/predošlý/neplatný/neplatné/nesprávny/nesprávne/zlý/chybný/odpojený/neaktívny/zrušený',
  hu: 'régi/korábbi/előző/volt/érvénytelen/hibás/rossz/téves/megszűnt/kikapcsolt/inaktív/elavult',
  ro: 'vechi/vechiul/anterior/precedent/fost/invalid/nevalid/greșit/incorect/deconectat/inactiv/dezactivat',
  tr: 'eski/önceki/geçersiz/yanlış/hatalı/kapalı/bağlantısız/pasif/kullanılmayan/iptal',
  el: 'παλιό/παλαιό/προηγούμενο/πρώην/άκυρο/μη_έγκυρο/λάθος/λανθασμένο/αποσυνδεδεμένο/ανενεργό/κομμένο',
  lt: 'senas/ankstesnis/buvęs/negaliojantis/neteisingas/klaidingas/atjungtas/neaktyvus/nebenaudojamas',
  lv: 'vecais/vecs/iepriekšējais/bijušais/nederīgs/nepareizs/kļūdains/atslēgts/neaktīvs',
  et: 'vana/endine/eelmine/kehtetu/vale/väljalülitatud/mitteaktiivne',
  hr: 'stari/prethodni/bivši/nevažeći/neispravan/pogrešan/krivi/isključen/neaktivan/prejšnji/neveljaven/napačen',
  id: 'lama/sebelumnya/terdahulu/mantan/tidak_valid/salah/terputus/mati/tidak_aktif/nonaktif/kedaluwarsa',
  vi: 'thoại_cũ/số_cũ/trước_đây/không_hợp_lệ/số_sai/thoại_sai/nhầm/ngắt_kết_nối/không_hoạt_động/hết_hạn',
  hi: 'पुराना/पुरानी/पूर्व/पिछला/अमान्य/गलत/बंद/निष्क्रिय',
  ar: 'قديم/القديم/السابق/سابق/سابقا/غير_صالح/غير_صحيح/خاطئ/خطأ/الخطأ/مقطوع/مفصول/ملغى/غير_نشط/معطل',
  fa: 'قدیمی/قبلی/سابق/نامعتبر/اشتباه/غلط/قطع/غیرفعال/غیر_فعال/منسوخ',
  ur: 'پرانا/سابقہ/پچھلا/غلط/ناجائز/بند/غیر_فعال',
  he: 'ישן/קודם/לשעבר/לא_תקין/לא_תקף/שגוי/מוטעה/מנותק/לא_פעיל/לא_בשימוש',
  ja: '=旧/以前の/前の/元の/無効/誤/間違/不通/使われていない/解約済/停止中/古い',
  zh: '=旧/以前/之前/原电话/原手机/无效/错误/停机/空号/停用/作废/过期/舊/無效/錯誤/停機/空號/過期',
  ko: '=이전/옛/구번호/구전화/예전/무효/잘못된/틀린/결번/해지/비활성/없는번호/사용안함',
  th: '=เก่า/เดิม/ก่อนหน้า/ไม่ถูกต้อง/เบอร์ผิด/ผิดพลาด/ยกเลิก/ใช้ไม่ได้/ไม่ใช้งาน/ปิดใช้งาน',
};

/** A person's own mobile, which comes first. */
const MOBILE =
  'mobile/mobilephone/mobilenumber/mob/cell/cellphone/handy/handynummer/handynr/mobil/mobilnummer/mobilnr/mobiltelefon/mobiltelefonnummer/mobiltelefonszám/mobilfunk/mobilfunknummer/mobilszám/mobilja/móvil/celular/cellulare/telefonino/telemóvel/mobiel/mobiele/mobieltje/mobielnummer/gsm/portable/whatsapp | matkapuhelin/matkapuhelinnumero/kännykkä/kännykkänumero | komórka/komórkowy/komórkowa/komórkowego | mobilní/mobilu/mobilné/mobilný/mobilul/mobiil/mobiilinumber/mobiiltelefon/mobitel/mobitela/mobilni/mobilnega | мобильный/мобильного/мобильні/мобільний/мобільного/мобилен/мобилни/сотовый/сотового/моб/джиесем | cep | κινητό/κινητού | mobilus/mobilusis/mobiliojo/mobilaus/mobilais/mobilā | ponsel/handphone/hp/nohp/seluler | di_động/đtdđ | मोबाइल/मोबाईल | جوال/الجوال/موبايل/الموبايل/المحمول/محمول/الخلوي/خلوي/النقال/نقال | موبایل/همراه/موبائل | נייד/סלולרי/סלולארי/פלאפון | =携帯/ケータイ/スマホ/手机/手機/移动电话/行動電話/휴대폰/휴대전화/핸드폰/มือถือ';

/** The rank of a kind of number: the smallest rank is called first; headers without any of these words have rank 2. */
const RANKS: readonly [rank: number, words: string][] = [
  [0, MOBILE],
  [1, 'direct/direkt'],
  [6, 'company/corporate/main/switchboard/headquarters/hq/reception/zentrale | =会社代表/代表電話'],
  [5, 'other/additional/alternate/alternative/secondary/second/callback/car/phones/2nd'],
  [
    3,
    'work/business/office/geschäftlich/bureau/trabajo/työpuhelin/työ/iş_telefonu/pejabat/kantor/εργασίας/darbo/darba/pracovní/pracovný/munkahelyi/العمل/עבודה/محل_کار/دفتر | =勤務先/職場/办公/辦公/직장/ที่ทำงาน | cơ_quan',
  ],
  [
    4,
    'home/private/privat/haus/casa/landline/domicile/fixe/festnetz/festnetznummer/fijo/fisso/kotipuhelin/lankapuhelin/lankapuhelinnumero/koti/ev/rumah/σπιτιού/σταθερό/σταθερού/namų/mājas/domácí/domáci/otthoni/المنزل/הבית/בבית/منزل/گھر | =自宅/固定電話/家庭电话/住宅/家電/자택/집전화/บ้าน | nhà',
  ],
];

/** True for a folded text that contains a word for the telephone. */
export const isPhoneWord = phraseTest(`${PHONES} | ${MOBILE}`);
const isNoNumber = phraseTest(NO_NUMBER);
const isOtherPeoples = phraseTest(Object.values(OTHER_PEOPLE).join(' | '));
const isDead = phraseTest(Object.values(DEAD).join(' | '));
const isFaxLike = phraseTest(
  'fax/telefax/pager/telex/tty/isdn/beeper | faks/faksi/faksas/fakss/telefaks/факс/φαξ/فاكس/فکس/פקס/फैक्स | =ファックス/传真/傳真/팩스/แฟกซ์/โทรสาร',
);
const ranks = RANKS.map(([rank, words]) => [rank, phraseTest(words)] as const);

export function isPhoneName(folded: string): boolean {
  return PHONE_NAMES.test(folded);
}

/**
 * What a folded header says of its column: the rank of the person's own numbers (the smallest is called first),
 * `notTheirs` for numbers of somebody else or out of use, undefined where the column is not for numbers to call.
 */
export function numberNamed(folded: string): number | 'notTheirs' | undefined {
  // The column `call_phone` of a callsheet export comes last: the operator may have corrected the original column.
  if (folded === 'call phone') return 7;
  if (isPhoneName(folded)) return 2;
  const isNumber = isPhoneWord(folded) || /(?:^| )(?:number|nummer|numero)$/.test(folded);
  if (isNumber && (isOtherPeoples(folded) || isDead(folded))) return 'notTheirs';
  const words = folded.split(' ');
  if (!isPhoneWord(folded) || isNoNumber(folded) || words[0] === 'call') return undefined;
  const [rank] = ranks.find(([, test]) => test(folded)) ?? [2];
  // Ranks `Phone 1 - Value` before `Phone 2 - Value`, and `Primary Phone` before `Phone`.
  const place = Number(words.find((word) => /^\d{1,2}$/.test(word)) ?? '1');
  return rank + place / 100 - (words.includes('primary') ? 0.5 : 0.01);
}

/** True for a folded label (`Home Fax`, `Assistant`, `Old`) that says that its number must not be called. */
export function isNoLabelToCall(folded: string): boolean {
  return isFaxLike(folded) || isOtherPeoples(folded) || isDead(folded);
}

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
