/**
 * What cells and headers say about calls, as one table. A line is `text`, `text @ source` where the text comes from a
 * registry, a law or the documentation of a program; without a source it is known from the language alone.
 */
export interface Words {
  language: string;
  text: string;
  source: string;
}

const SOURCES: Readonly<Record<string, string>> = {
  ftc: 'FTC, National Do Not Call Registry, 16 CFR 310.4(b)(1)(iii)',
  fcc: 'FCC, 47 CFR 64.1200(a)(10), revocation of consent',
  fdcpa: 'Regulation F, 12 CFR 1006.6 (attorney, ceasing communication, times and places)',
  dncl: 'CRTC, National Do Not Call List (LNNTE)',
  trai: 'TRAI, TCCCPR 2018, National Customer Preference Register',
  acma: 'ACMA, Do Not Call Register Act 2006',
  ofcom: 'Ofcom, Telephone Preference Service, PECR regulations 21 and 26',
  gdpr: 'GDPR articles 7(3), 17 and 21',
  uwg: '§ 7 UWG',
  robinson: 'Robinson lists of the advertising associations',
  bloctel: 'Code de la consommation L223-1 (Bloctel)',
  arcep: 'Code des postes L34, liste orange',
  adigital: 'Adigital, Servicio de Listas Robinson',
  reus: 'Condusef (REUS) and Profeco (REPEP), Mexico',
  nollame: 'Argentina, Ley 26.951, Registro Nacional No Llame',
  rne: 'Colombia, CRC, Registro de Números Excluidos',
  procon: 'Procon-SP, Lei 13.226/2008; Anatel, Não Me Perturbe',
  rpo: 'Italy, DPR 26/2022, Registro Pubblico delle Opposizioni',
  dncm: 'Belgium, DNCM, Bel-me-niet-meer / Ne m’appelez plus',
  nix: 'Sweden, NIX-Telefon',
  brreg: 'Norway, markedsføringsloven § 12, Reservasjonsregisteret',
  cpr: 'Denmark, Robinsonlisten, forbrugeraftaleloven § 4',
  asml: 'Finland, Telemarkkinoinnin kieltopalvelu',
  art11: 'Greece, law 3471/2006 article 11',
  iys: 'Turkey, İleti Yönetim Sistemi: ARAMA, MESAJ, EPOSTA; ONAY or RET',
  kftc: 'Korea, FTC, 두낫콜 (donotcall.go.kr)',
  ilcpa: 'Israel, Consumer Protection Authority, registry "do not call me"',
  tokusho: 'Japan, 特定商取引法 17 (no second solicitation)',
  salesforce: 'Salesforce, object reference, Contact and Lead',
  dynamics: 'Dynamics 365, table reference contact',
  zoho: 'Zoho CRM, default fields of leads',
  sugar: 'SugarCRM and SuiteCRM, module contacts',
  odoo: 'Odoo, mail.thread.phone and mail.thread.blacklist',
  vicidial: 'VICIdial, system statuses',
  hubspot: 'HubSpot, default contact properties',
  language: 'language',
};

function read(table: Readonly<Record<string, string>>): Words[] {
  return Object.entries(table).flatMap(([language, lines]) =>
    lines
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((line) => {
        const [text = '', key = 'language'] = line.split(' @ ');
        const source = SOURCES[key];
        if (source === undefined) throw new Error(`no source ${key}: ${line}`);
        return { language, text, source };
      }),
  );
}

/** Cells by which nobody calls the person, in any campaign. */
export const REFUSING = read({
  en: `DO NOT CALL @ vicidial
    DNCL @ vicidial
    DNCC @ vicidial
    On federal DNC @ ftc
    National DNC registry @ ftc
    Internal DNC request @ ftc
    TPS registered @ ofcom
    CTPS @ ofcom
    On DNCR @ acma
    NDNC @ trai
    NCPR fully blocked @ trai
    Consent withdrawn @ fcc
    Revoked consent by phone @ fcc
    Asked not to be called again
    Wants no more calls
    Do not phone
    Never call again
    Stop calling me
    No further calls please
    Please remove me from your call list
    Delete my number from your list
    Erasure requested @ gdpr
    Objected to marketing @ gdpr
    Right to object exercised - calls @ gdpr
    Cease and desist received @ fdcpa
    Represented by attorney @ fdcpa
    Known litigator
    Opted out of calls
    Opted out of all channels
    Call opt-out: yes
    Blacklisted @ odoo
    Hot lead; DNC
    Do not call, email only
    Consent to call: no`,
  de: `Nicht mehr anrufen
    will nicht mehr angerufen werden
    wünscht keine Anrufe
    Keine Anrufe mehr
    Werbewiderspruch @ uwg
    Einwilligung widerrufen @ gdpr
    Widerspruch Telefonwerbung @ uwg
    Robinsonliste @ robinson
    Anrufsperre
    Bitte aus der Liste löschen
    Löschung beantragt @ gdpr
    Steht auf der Sperrliste
    telefonischer Kontakt untersagt
    Anruf unerwünscht`,
  fr: `Ne plus appeler
    Ne souhaite pas être contacté par téléphone
    Inscrit Bloctel @ bloctel
    Opposition au démarchage @ bloctel
    Liste orange @ arcep
    Consentement retiré @ gdpr
    Refuse le démarchage téléphonique
    Supprimer de la liste
    Demande de suppression @ gdpr
    N'appelez plus
    LNNTE @ dncl
    Arrêter les appels`,
  es: `No volver a llamar
    No desea recibir llamadas
    Lista Robinson @ adigital
    Inscrito en REUS @ reus
    REPEP @ reus
    Registro No Llame @ nollame
    Consentimiento revocado @ gdpr
    Quitar de la lista
    No quiere que le llamen
    Solicita no ser llamado
    No llamar más
    Dado de baja`,
  pt: `Não ligar mais
    Não quer receber ligações
    Não Me Perturbe @ procon
    Bloqueio Procon @ procon
    Consentimento revogado @ gdpr
    Pediu para não ligar
    Retirar da lista
    Excluir da lista de chamadas
    Recusa contato telefônico`,
  it: `Non chiamare più
    Non vuole essere chiamato
    Non vuole essere contattato
    Iscritto al RPO @ rpo
    Registro delle opposizioni @ rpo
    Consenso revocato @ gdpr
    Cancellare dalla lista
    Ha chiesto di non essere chiamato
    Mai più chiamare`,
  nl: `Niet meer bellen
    Wil niet gebeld worden
    Wenst geen telefoontjes
    Bel-me-niet-meer @ dncm
    Recht van verzet
    Toestemming ingetrokken @ gdpr
    Verwijderen uit bellijst
    Nooit meer bellen`,
  sv: `Ring inte mer
    Vill inte bli uppringd
    NIX-Telefon @ nix
    Samtycke återkallat @ gdpr
    Ta bort från listan
    Ska inte ringas
    Önskar inga samtal`,
  da: `Ring ikke mere
    Ønsker ikke opkald
    Vil ikke ringes op
    Robinsonlisten @ cpr
    Samtykke tilbagekaldt @ gdpr
    Fjern fra listen
    Må ikke kontaktes`,
  nb: `Ikke ring mer
    Ønsker ikke å bli oppringt
    Reservasjonsregisteret @ brreg
    Samtykke trukket tilbake @ gdpr
    Slett fra listen
    Vil ikke ha telefonsalg`,
  fi: `Älä soita enää
    Ei halua puheluita
    Puhelinmyyntikielto @ asml
    Suostumus peruttu @ gdpr
    Poista listalta
    Ei saa soittaa`,
  pl: `Nie dzwonić więcej
    Nie życzy sobie telefonów
    Zgoda wycofana @ gdpr
    Usunąć z listy
    Prosi o niedzwonienie
    Lista Robinsonów @ robinson
    Sprzeciw wobec marketingu @ gdpr`,
  ru: `Больше не звонить
    Просил не звонить
    Не хочет звонков
    Стоп-лист
    Согласие отозвано
    Удалить из списка
    Отказ от звонков
    Чёрный список`,
  uk: `Більше не дзвонити
    Просив не телефонувати
    Не бажає дзвінків
    Згоду відкликано
    Видалити зі списку
    Стоп-лист`,
  bg: `Не се обаждайте повече
    Не желае обаждания
    Съгласието е оттеглено @ gdpr
    Премахнете от списъка`,
  cs: `Už nevolat
    Nepřeje si být volán
    Nechce telefonáty
    Souhlas odvolán @ gdpr
    Odstranit ze seznamu
    Zákaz volání`,
  sk: `Už nevolať
    Neželá si volania
    Súhlas odvolaný @ gdpr
    Odstrániť zo zoznamu
    Zákaz telefonovania`,
  hu: `Ne hívja többet
    Nem kér hívást
    Nem akar telefonhívást
    Hozzájárulás visszavonva @ gdpr
    Törlés a listáról
    Tiltólista`,
  ro: `Nu mai sunați
    Nu dorește să fie sunat
    Consimțământ retras @ gdpr
    Ștergeți din listă
    Refuză apelurile`,
  tr: `Bir daha aramayın
    Aranmak istemiyor
    Onay geri alındı
    Listeden çıkarın
    Kara liste`,
  el: `Μην ξανακαλέσετε
    Δεν θέλει κλήσεις
    Μητρώο άρθρου 11 @ art11
    Ανάκληση συγκατάθεσης @ gdpr
    Διαγραφή από τη λίστα`,
  lt: `Daugiau neskambinti
    Nenori skambučių
    Sutikimas atšauktas @ gdpr
    Išbraukti iš sąrašo`,
  lv: `Vairs nezvanīt
    Nevēlas zvanus
    Piekrišana atsaukta @ gdpr
    Izņemt no saraksta`,
  et: `Mitte enam helistada
    Ei soovi kõnesid
    Nõusolek tagasi võetud @ gdpr
    Eemaldada nimekirjast`,
  hr: `Više ne zvati
    Ne želi pozive
    Suglasnost povučena @ gdpr
    Ukloniti s popisa`,
  id: `Jangan telepon lagi
    Tidak mau ditelepon
    Minta jangan dihubungi
    Hapus dari daftar
    Persetujuan dicabut`,
  vi: `Đừng gọi nữa
    Không muốn nhận cuộc gọi
    Xóa khỏi danh sách
    Yêu cầu không gọi`,
  hi: `दोबारा कॉल न करें
    कॉल नहीं चाहते
    सूची से हटाएं
    डीएनडी @ trai
    सहमति वापस ली`,
  ar: `لا تتصل مرة أخرى
    لا يرغب في الاتصال
    طلب عدم الاتصال
    سحب الموافقة
    احذف من القائمة`,
  fa: `دیگر تماس نگیرید
    مایل به تماس نیست
    حذف از لیست`,
  ur: `دوبارہ کال نہ کریں
    کال نہیں چاہتے
    فہرست سے نکال دیں`,
  he: `לא להתקשר יותר
    ביקש שלא יתקשרו
    אל תתקשרו אליי @ ilcpa
    ההסכמה בוטלה
    להסיר מהרשימה
    לא רוצה שיחות`,
  th: `ห้ามโทร
    ไม่ต้องการรับสาย
    ถอนความยินยอม
    ลบออกจากรายชื่อ`,
  ja: `再勧誘禁止 電話禁止 @ tokusho
    今後の電話は希望しない
    電話しないでください
    架電NG
    リストから削除希望
    同意撤回`,
  zh: `不要再打电话
    客户不希望接到电话
    拒绝来电
    撤回同意
    请从名单中删除
    要求停止致电
    勿扰`,
  ko: `두낫콜 등록 @ kftc
    다시 전화하지 마세요
    전화를 원하지 않음
    동의 철회
    명단에서 삭제
    수신거부`,
});

/** Cells that keep nobody from being called. */
export const HARMLESS = read({
  en: `New
    Open - Not Contacted @ salesforce
    Working - Contacted @ salesforce
    Not Contacted @ zoho
    Contact in Future @ zoho
    Junk Lead @ zoho
    Not Interested @ vicidial
    No Answer @ vicidial
    Call Back @ vicidial
    Declined Sale @ vicidial
    Bad timing @ hubspot
    Not on the National DNC @ ftc
    Not TPS registered @ ofcom
    TPS: clear @ ofcom
    TPS checked - ok @ ofcom
    Never opted out
    Removed from do not call list
    Taken off - no longer on DNC
    DNC removed
    DNC expired
    No longer blacklisted
    Opt-out withdrawn
    Opt out = false
    DNC flag: N
    Unsubscribed from newsletter
    Opted out of SMS
    Opted out of email
    Do not mail
    Do not email
    Has opted out of fax @ salesforce
    Email bounced
    Email blocked
    WhatsApp opt-out
    Text STOP received by SMS only
    Not called yet
    Could not be called yet
    Call not answered
    Call declined
    Call rejected by callee
    Voicemail full
    Number blocked by network
    Line blocked, retry
    No objection
    No objections to calls
    Objection handling
    Not deceased
    Not inactive
    Do not call until 2025-01-01
    Consent given
    Consent not revoked
    No call no show`,
  de: `Noch nicht angerufen
    Nicht erreicht
    Keine Antwort
    Nicht auf der Robinsonliste @ robinson
    Robinsonliste: nein @ robinson
    Aus der Robinsonliste entfernt @ robinson
    Kein Widerspruch
    Newsletter abgemeldet
    Von E-Mails abgemeldet
    Keine Werbung per Post
    Leitung gesperrt, später versuchen
    nicht gesperrt
    Rückruf erwünscht`,
  fr: `Pas encore appelé
    Pas de réponse
    Pas inscrit sur Bloctel @ bloctel
    Bloctel : non @ bloctel
    Désabonné de la newsletter
    Désinscrit des SMS
    À rappeler
    Aucune opposition
    Pas bloqué`,
  es: `Aún no llamado
    No contesta
    No está en la Lista Robinson @ adigital
    Baja del boletín
    Dado de baja de SMS
    Sin respuesta
    Lista Robinson: no @ adigital`,
  pt: `Ainda não contatado
    Não atende
    Não está na lista negra
    Descadastrado do boletim
    Descadastrado de SMS
    Não Me Perturbe: não @ procon`,
  it: `Non ancora contattato
    Non risponde
    Non iscritto al RPO @ rpo
    Disiscritto dalla newsletter
    Disiscritto da SMS
    Non chiamato`,
  nl: `Nog niet gebeld
    Geen gehoor
    Niet in het bel-me-niet register @ dncm
    Uitgeschreven van nieuwsbrief
    Afgemeld voor sms`,
  sv: `Ännu inte uppringd
    Svarar inte
    Inte i NIX-registret @ nix
    Avregistrerad från nyhetsbrev`,
  da: `Endnu ikke ringet op
    Svarer ikke
    Ikke på Robinsonlisten @ cpr
    Afmeldt nyhedsbrev`,
  nb: `Ikke ringt ennå
    Svarer ikke
    Ikke i reservasjonsregisteret @ brreg
    Avmeldt nyhetsbrev`,
  fi: `Ei vielä soitettu
    Ei vastaa
    Ei estolistalla
    Uutiskirje peruttu`,
  pl: `Jeszcze nie dzwoniono
    Nie odbiera
    Nie jest na liście Robinsonów @ robinson
    Wypisany z newslettera
    Brak sprzeciwu`,
  ru: `Ещё не звонили
    Не отвечает
    Не в стоп-листе
    Отписан от рассылки
    Нет ответа
    Удалён из стоп-листа`,
  uk: `Ще не дзвонили
    Не відповідає
    Відписався від розсилки`,
  bg: `Още не е търсен
    Не отговаря`,
  cs: `Zatím nevoláno
    Nebere telefon
    Odhlášen z newsletteru`,
  sk: `Ešte nevolané
    Nedvíha
    Odhlásený z newslettera`,
  hu: `Még nem hívtuk
    Nem veszi fel
    Leiratkozott a hírlevélről
    Nincs a tiltólistán`,
  ro: `Încă nesunat
    Nu răspunde
    Dezabonat de la newsletter`,
  tr: `Henüz aranmadı
    Cevap vermiyor
    Kara listede değil
    E-posta: RET @ iys
    Arama: ONAY @ iys`,
  el: `Δεν απαντά
    Δεν είναι στη μαύρη λίστα`,
  lt: `Dar neskambinta
    Neatsiliepia`,
  lv: `Vēl nav zvanīts
    Neatbild`,
  et: `Veel helistamata
    Ei vasta`,
  hr: `Još nije zvan
    Ne javlja se`,
  id: `Belum ditelepon
    Tidak diangkat
    Berhenti berlangganan email`,
  vi: `Chưa gọi
    Không nghe máy
    Không gọi được`,
  hi: `अभी तक कॉल नहीं किया
    उत्तर नहीं
    नया`,
  ar: `لا يجيب
    لم يتم الاتصال بعد
    جديد`,
  fa: `پاسخ نداد
    جدید`,
  ur: `جواب نہیں ملا
    نیا`,
  he: `עדיין לא התקשרנו
    לא ענה
    לא ברשימה שחורה`,
  th: `ยังไม่ได้โทร
    ไม่รับสาย`,
  ja: `未架電
    不在
    メール配信停止
    ブラックリスト解除
    留守電`,
  zh: `未联系
    无人接听
    不在黑名单
    短信退订
    已移出黑名单`,
  ko: `미통화
    부재중
    SMS수신거부
    블랙리스트 해제`,
});

/** Cells by which the person is not called in this campaign, and nothing is said to others. */
export const HERE = read({
  en: `Deceased
    Wrong number
    Wrong person
    Disconnected Number @ vicidial
    Not in service
    Invalid number
    Inactive
    Blocked
    Active: no
    Do not use
    Dead @ sugar
    Number changed
    Wrong number - remove from list
    No consent @ fcc`,
  de: 'Verstorben\nFalsche Nummer\nInaktiv\nKein Anschluss unter dieser Nummer\nGesperrt',
  fr: 'Décédé\nMauvais numéro\nInactif\nNe pas utiliser',
  es: 'Fallecido\nNúmero equivocado\nInactivo\nFuera de servicio',
  pt: 'Falecido\nNúmero errado\nInativo',
  it: 'Deceduto\nNumero errato\nInattivo',
  nl: 'Overleden\nVerkeerd nummer\nInactief',
  sv: 'Avliden\nFel nummer\nInaktiv',
  da: 'Død\nForkert nummer',
  nb: 'Avdød\nFeil nummer',
  fi: 'Kuollut\nVäärä numero',
  pl: 'Zmarł\nZły numer\nNieaktywny',
  ru: 'Умер\nНеверный номер\nНеактивен',
  uk: 'Помер\nНевірний номер',
  bg: 'Починал\nГрешен номер',
  cs: 'Zemřel\nŠpatné číslo\nNeaktivní',
  sk: 'Zomrel\nNesprávne číslo',
  hu: 'Elhunyt\nTéves szám\nInaktív',
  ro: 'Decedat\nNumăr greșit',
  tr: 'Vefat\nYanlış numara\nPasif',
  el: 'Απεβίωσε\nΛάθος αριθμός',
  lt: 'Mirė\nKlaidingas numeris',
  lv: 'Miris\nNepareizs numurs',
  et: 'Surnud\nVale number',
  hr: 'Umro\nPogrešan broj',
  id: 'Meninggal\nNomor salah\nTidak aktif',
  vi: 'Đã mất\nSai số\nKhông hoạt động',
  hi: 'मृत\nगलत नंबर',
  ar: 'متوفى\nرقم خاطئ',
  fa: 'فوت شده\nشماره اشتباه',
  ur: 'وفات\nغلط نمبر',
  he: 'נפטר\nמספר שגוי',
  th: 'เสียชีวิต\nเบอร์ผิด',
  ja: '死亡\n番号間違い\n使用禁止',
  zh: '已故\n空号\n错号',
  ko: '사망\n잘못된 번호\n결번',
});

/** Cells that hold until a day, which is 2027-03-01 in each. */
export const UNTIL = read({
  en: `Do not call until 2027-03-01
    do not call before 1 March 2027
    DNC until 01/03/2027
    No calls till March 1, 2027
    Do not call until Mar 1, 2027
    Do not contact until 2027/03/01`,
  de: 'Nicht anrufen bis 01.03.2027\nKeine Anrufe bis zum 1. März 2027',
  fr: "Ne pas appeler jusqu'au 01/03/2027\nNe pas appeler avant le 1 mars 2027",
  es: 'No llamar hasta el 1 de marzo de 2027\nNo llamar antes del 01/03/2027',
  pt: 'Não ligar até 01/03/2027',
  it: 'Non chiamare fino al 1 marzo 2027',
  nl: 'Niet bellen tot 1 maart 2027',
  sv: 'Ring inte före 2027-03-01',
  da: 'Ring ikke før 1. marts 2027',
  nb: 'Ikke ring før 1. mars 2027',
  fi: 'Älä soita ennen 1.3.2027',
  pl: 'Nie dzwonić do 1 marca 2027',
  ru: 'Не звонить до 01.03.2027\nНе звонить до 1 марта 2027',
  uk: 'Не дзвонити до 01.03.2027',
  cs: 'Nevolat do 1. března 2027',
  sk: 'Nevolať do 1. marca 2027',
  hu: 'Ne hívja 2027.03.01 előtt',
  ro: 'Nu sunați până la 1 martie 2027',
  tr: '1 Mart 2027 tarihine kadar aramayın',
  el: 'Μην καλείτε μέχρι 01/03/2027',
  he: 'לא להתקשר עד 01/03/2027',
  ja: '2027年3月1日まで架電禁止',
  zh: '2027年3月1日前请勿致电',
  ko: '2027년 3월 1일까지 전화 금지',
});

/** Cells that a person has to read. */
export const UNCLEAR = read({
  en: `Do not call before 10am @ fdcpa
    Do not call at work @ fdcpa
    Do not call after 6pm
    Do not call mornings
    Do not call on weekends
    Do not call without appointment
    Do not call until further notice
    Do not call until next week
    Do not call today
    DNC?
    Previously on DNC
    SMS DNC
    No calls
    DNC: ok
    Opt-out: e-mail, phone`,
  de: 'Nicht vor 10 Uhr anrufen\nNicht vormittags anrufen\nNicht anrufen bis auf Weiteres',
  fr: "Ne pas appeler le matin\nNe pas appeler jusqu'à nouvel ordre",
  es: 'No llamar por la mañana\nNo llamar antes de las 10:00',
  pt: 'Não ligar de manhã',
  it: 'Non chiamare la mattina\nNon chiamare dopo le 18:00',
  nl: "Niet bellen 's avonds",
  sv: 'Ring inte före 10:00',
  pl: 'Nie dzwonić wieczorem\nNie chce, żeby do niego dzwonić',
  ru: 'Не звонить до 10 утра\nНе звонить вечером',
  tr: 'Akşam aramayın\nArama: RET @ iys',
  ja: '午前中は電話しないで',
  zh: '上午请勿致电',
  ko: '저녁에는 전화 금지',
});

/** Headers: what they are taken for. `|` separates headers that are taken for the same. */
export const HEADERS: Readonly<Record<string, Words[]>> = {
  doNotCall: read({
    en: `DoNotCall @ salesforce
      donotphone @ dynamics
      Do not allow Phone Calls @ dynamics
      do_not_call @ sugar
      phone_blacklisted @ odoo
      DNC Federal @ ftc
      State DNC @ ftc
      TPS Flag @ ofcom
      CTPS Registered @ ofcom
      NDNC Status @ trai
      Consent Revoked @ fcc
      Litigator
      Call Exclusion
      Do Not Dial
      Suppression Flag`,
    de: 'Anrufverbot\nTelefonsperre\nSperrliste\nWerbewiderspruch @ uwg\nRobinson @ robinson\nWiderspruch Telefonwerbung @ uwg',
    fr: "Bloctel @ bloctel\nOpposition démarchage\nNe plus appeler\nListe d'exclusion appels",
    es: 'Lista Robinson @ adigital\nREPEP @ reus\nNo llamar más\nRegistro No Llame @ nollame',
    pt: 'Não Me Perturbe @ procon\nBloqueio de ligações\nNão ligar',
    it: 'RPO @ rpo\nIscritto Registro Opposizioni @ rpo\nBlocco chiamate',
    nl: 'Belverbod\nBel-me-niet @ dncm\nNiet meer bellen',
    sv: 'NIX @ nix\nSamtalsspärr',
    da: 'Robinsonlisten @ cpr\nRing ikke',
    nb: 'Reservasjon telefonsalg @ brreg\nIkke ring',
    fi: 'Soittokielto\nPuhelinmarkkinointikielto @ asml',
    pl: 'Zakaz dzwonienia\nLista Robinsonów @ robinson',
    ru: 'Запрет на звонки\nЧёрный список',
    uk: 'Заборона дзвінків',
    cs: 'Zákaz volání',
    sk: 'Zákaz volania',
    hu: 'Hívástiltás\nTiltólista',
    ro: 'Interzis apeluri',
    tr: 'Arama engeli',
    el: 'Μητρώο άρθρου 11 @ art11',
    he: 'אל תתקשרו אליי @ ilcpa',
    ar: 'ممنوع الاتصال',
    hi: 'डीएनडी @ trai',
    th: 'ห้ามโทร',
    ja: '架電NG\n電話禁止',
    zh: '禁止外呼\n黑名单',
    ko: '두낫콜 @ kftc\n전화 수신거부',
  }),
  mayCall: read({
    en: 'Consent to Call @ fcc\nTCPA Consent @ fcc\nVoice Consent\nCallable',
    de: 'Anruf erlaubt\nTelefonisch kontaktierbar',
    fr: 'Consentement voix\nContactable par téléphone',
    es: 'Acepta llamadas',
    pt: 'Aceita ligações',
    it: 'Contattabile telefonicamente\nConsenso chiamate',
    nl: 'Mag gebeld worden\nBelbaar',
    sv: 'Får ringas',
    hu: 'Hívható',
    tr: 'İYS Arama İzni @ iys',
    ko: 'TM동의\n전화동의',
  }),
  none: read({
    en: `HasOptedOutOfEmail @ salesforce
      HasOptedOutOfFax @ salesforce
      donotemail @ dynamics
      donotfax @ dynamics
      Email Opt Out @ zoho
      Unsubscribed from all email @ hubspot
      SMS Opt Out
      Opt-out Deadline
      No Call No Show
      Number of calls
      Last call date`,
    de: 'Newsletter abgemeldet\nLetzter Anruf',
    fr: 'Désabonné newsletter\nDernier appel',
    tr: 'İYS E-posta İzni @ iys',
    ko: 'SMS수신거부',
    ja: 'メール配信停止',
    zh: '短信退订',
  }),
  consentUntil: read({
    en: 'Consent valid until\nConsent to call expires\nConsent expiry date',
    de: 'Einwilligung gültig bis',
    fr: "Consentement valable jusqu'au",
    es: 'Consentimiento válido hasta',
  }),
  refusedUntil: read({
    en: 'DNC Expiry Date\nDo not call until\nOpt-out valid until',
    de: 'Anrufsperre bis',
  }),
  outOfUse: read({
    en: 'Deceased\nBlocked\nInactive',
    de: 'Verstorben',
    fr: 'Décédé',
    es: 'Fallecido',
  }),
  active: read({
    en: 'Active\nIs Active',
    de: 'Aktiv',
    fr: 'Actif',
    es: 'Activo',
    it: 'Attivo',
  }),
};
