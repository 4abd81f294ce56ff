import { foldLetters, phraseTest } from '../../../text/fold-words.ts';

/**
 * Words that refuse only together with a word of another class, so that each language needs its words once and not
 * every sentence made of them; see `phraseTest` for the notation. Languages are in the order of `DO_NOT_CALL`. Source:
 * the languages themselves; names of registries and fields of programs are in `DO_NOT_CALL`.
 */

/** Somebody does not want something. */
const UNWILLING =
  'not_want/not_wish/doesn_t_want/don_t_want/didn_t_want/doesn_t_wish/not_wanting/wants_no/asked_not/asks_not/requested_not/requested_no/wishes_not/prefers_not/does_not_consent/do_not_consent/no_more/no_further/never_again/cease/quit/stop/stopped | möchte/möchten/will/wollen/wünscht/wünschen * nicht/keine/keinen/kein | nie_wieder/nie_mehr/niemals/keine_weiteren/keinerlei | ne_souhaite/ne_veut/ne_désire/ne_souhaitent/ne_veulent/ne_plus/plus_jamais/ne_jamais/cesser/arrêter/arrêtez/refuse | no_desea/no_quiere/no_desean/no_quieren/pide_no/pidió_no/solicita_no/solicitó_no/no_volver/no_vuelva/no_vuelvan/nunca_más/no_insistir/dejar_de/dejen_de | não_deseja/não_quer/não_pretende/pediu_para_não/pede_para_não/solicitou_não/nunca_mais/parar_de/não_voltar/não_insistir | não * mais | non_vuole/non_desidera/non_intende/chiede_di_non/chiesto_di_non/mai_più/smettere_di/non_richiamare | wil/wilt/wenst/willen/wensen * niet/geen | nooit_meer/nooit/stoppen_met | vill/önskar * inte/ej/inga | aldrig_mer/aldrig_igen/inga_fler/sluta/avböjer | vil/ønsker * ikke/ingen | aldrig_mere/ingen_flere/stop_med/aldri_mer/slutt_å/frabeder | ei_halua/ei_toivo/ei_haluta/kieltää/kieltänyt/ei_enää/älä_enää/ei_koskaan/lopeta | nie_chce/nie_życzy/nie_zgadza/prosi_o_nie…/prosił_o_nie…/prosiła_o_nie…/odmawia/nigdy_więcej/więcej_nie/już_nie/proszę_nie/przestać | не_хочет/не_желает/не_хотят/просит_не/просил_не/просила_не/попросил_не/попросила_не/больше_не/никогда_не/перестать/перестаньте/прекратить/прекратите/не_надо/не_нужно | не * больше | не_хоче/не_бажає/просить_не/просив_не/просила_не/попросив_не/попросила_не/більше_не/ніколи_не/припинити/припиніть/перестаньте/не_треба/не_потрібно | не_желае/не_иска/повече_не/никога_не/спрете | nechce/nepřeje/nesouhlasí/odmítá | už/víckrát/nikdy/znovu/více ne… | nechce/neželá/nesúhlasí/odmieta | už/viackrát/nikdy/znova/viac ne… | nem_kér/nem_kíván/nem_akar/nem_szeretne/nem_óhajt/kérte_ne/kéri_ne/elutasít…/visszautasít…/soha_többet/soha_többé | ne * többet/többé | nu_dorește/nu_vrea/nu_mai/refuză/niciodată/cerut_să_nu/cere_să_nu/încetați | istemiyor/istemedi/istememekte…/reddediyor/bir_daha | δεν_θέλει/δεν_επιθυμεί/δεν_επιθυμώ/δε_θέλει/αρνείται/ζήτησε_να_μη/ζήτησε_να_μην/ποτέ_ξανά/όχι_άλλες | nenori/nepageidauja/nesutinka/atsisak…/prašo_ne… | daugiau/niekada ne… | nevēlas/negrib/nepiekrīt/lūdz_ne… | vairs/nekad/vairāk ne… | ei_soovi/ei_taha/palub_mitte/keeldu…/mitte_enam/enam_mitte/ära_enam/ärge_enam | ne_želi/neće/noče/ne_dozvoljava/traži_da_ne/više_ne/nikada_ne/prestanite/več_ne/nikoli_ne/не_жели/неће/више_не | ne * više/več | tidak_mau/tidak_ingin/tidak_bersedia/tidak_berkenan/menolak/minta_jangan/minta_tidak/berhenti | jangan/tidak * lagi | không_muốn/không_đồng_ý/yêu_cầu_không/yêu_cầu_ngừng/ngừng | đừng/không * nữa | नहीं_चाहते/नहीं_चाहता/नहीं_चाहती/नहीं_चाहिए | दोबारा/फिर/कभी * न/मत/नहीं | لا_يرغب/لا_ترغب/لا_يريد/لا_تريد/يرفض/ترفض/طلب_عدم/طلبت_عدم/يطلب_عدم/توقف/أوقفوا | نمی_خواهد/نمیخواهد/مایل_نیست/تمایل_ندارد/درخواست_عدم | نہیں_چاہتا/نہیں_چاہتے/نہیں_چاہتی | دوبارہ/آئندہ * نہ/مت | לא_רוצה/לא_מעוניין/לא_מעוניינת/מסרב/מסרבת/ביקש_לא/ביקשה_לא/ביקש_שלא/ביקשה_שלא/מבקש_לא/מבקש_שלא/להפסיק/תפסיקו/הפסיקו | לא * יותר/שוב | =ไม่ต้องการ/ไม่ประสงค์/ไม่อยาก/หยุด/เลิก/希望しない/希望せず/希望しません/したくない/望まない/しないで/かけないで/二度と/不希望/不想/不愿/不願/不再/别再/別再/勿再/不要再/要求停止/원하지않/원치않/하지마/하지말/다시는/더이상/그만';

/** To take somebody off; together with a list, a call, or a word for asking. */
const TAKE_OFF =
  'remove/removal/delete/deletion/erase/erasure/strike | take/get * off | entfernen/entfernung/löschen/löschung/streichen/streichung/austragen/austragung/löschantrag/löschwunsch | retirer/retirez/retrait/supprimer/supprimez/suppression/radier/radiation/rayer/effacer/effacement/désinscrire | eliminar/eliminación/borrar/quitar/sacar/baja/retirar/suprimir/supresión/excluir | remover/remoção/excluir/exclusão/apagar/tirar/descadastrar | rimuovere/rimozione/cancellare/cancellazione/togliere/eliminare/depennare | verwijderen/verwijder/verwijdering/uitschrijven/schrappen | ta_bort/radera/stryk/avföra/borttagning | fjern/fjerne/fjernes/slet/slette/slettes/sletning/slett/sletting | poista/poistaa/poistettava/poisto/poistopyyntö | usunąć/usuń/usunięcie/wykreślić/wykreśl/skreślić/wypisać | удалить/удалите/удаление/исключить/исключите/убрать/уберите/вычеркнуть | видалити/видаліть/видалення/вилучити/виключити/прибрати/викреслити | премахнете/премахване/изтрийте/изтриване/махнете/заличаване | odstranit/odstranění/vymazat/výmaz/smazat/vyřadit/vyškrtnout | odstrániť/odstránenie/vymazať/vyradiť/vyškrtnúť | töröl/törlés/törölje/töröljék/törölni/törlését/eltávolít…/vegye_le/vegyék_le | șterge/ștergere/ștergeți/elimina/eliminare/eliminați/scoate/scoateți/radiere | çıkarın/çıkarılsın/çıkar/sil/silin/silinsin/kaldırın | αφαίρεση/αφαιρέστε/διαγραφή/διαγράψτε/διαγραφεί | pašalinti/pašalinkite/išbraukti/ištrinti | izņemt/izdzēst/dzēst/svītrot/svītrojiet/noņemt | eemalda/eemaldage/eemaldada/kustuta/kustutage/kustutada | ukloni/uklonite/ukloniti/obriši/obrišite/obrisati/izbriši/izbrisati/odstrani/odstranite/уклони/уклоните/обриши | hapus/keluarkan/coret | xóa/gỡ/loại_khỏi | हटा…/हटाएं/मिटा… | إزالة/احذف/احذفوا/حذف/شطب | حذف/خارج_کنید | ہٹا/ہٹائیں/نکال/نکالیں | להסיר/הסר/הסירו/הסרה/למחוק/מחקו/תמחקו/תסירו | =ลบ/นำออก/เอาออก/ตัดออก/削除/外して/删除/刪除/移除/除名/剔除/삭제/제외/빼주';
const LISTS =
  'list/lists/database/register/registry/call_list/calling_list | liste/verteiler/kartei/datenbank/anrufliste | listes/fichier/fichiers | lista/listas/listado/base/cadastro/elenco/archivio | lijst/bellijst/bestand | listan/registret/ringlista/listen/ringeliste/registeret | luettelo…/rekister…/lista…/soittolista… | listy/bazy/bazie | список/списка/базы/списку/бази | списък/списъка | seznam/seznamu/databáze/zoznam/zoznamu/databázy | listáról/listából/adatbázisból | listă/lista/baza | listeden/listesinden/listemizden | λίστα/λίστας/κατάλογο | sąrašo/saraksta/nimekirjast/loendist/popisa/popis/seznama/са_списка | daftar/danh_sách/सूची/लिस्ट/قائمة/القائمة/القوائم/لیست/فہرست/لسٹ/רשימה/מהרשימה/מרשימת/הרשימה | =名单/名單/列表/リスト/名簿/명단/목록/리스트/รายชื่อ';
const ASKED =
  'request/requests/requested/requesting/asked/asks/please/pls | gewünscht/beantragt/bittet/bitte/verlangt | demande/demandé…/svp | solicita/solicitó/solicitad…/pide/pidió/solicitud/por_favor | solicitou/pediu/pede/pedido | richiede/richiest…/chiede/chiesto | verzoek/verzoekt/gevraagd/vraagt | begär/begärt/begäran/ber | anmoder/anmodet/bedt/beder/forespurt | pyytää/pyysi/pyyntö | prosi/prosił/prosiła/żąda/żądanie | просит/просил/просила/требует/просьба/попросил/попросила | просить/просив/вимагає | молба/помоли | žádá/žádost/prosí/požádal…/žiada/žiadosť/požiadal… | kéri/kérte/kérés… | cere/cerere/solicită/cerut | talep/talebi/istedi | ζητά/ζήτησε/αίτημα | prašo/paprašė/lūdz/lūdza/palub/palus | traži/zatražio/zahtjev/zahteva | minta/meminta/permintaan | yêu_cầu/đề_nghị | अनुरोध | طلب/طلبت/يطلب/تطلب | درخواست | ביקש/ביקשה/מבקש/מבקשת/בקשה/בקשת | =ขอ/依頼/要求/请求/請求/요청';

const CONSENTS =
  'consent/consents/consented/permission/opt_in/optin/opted_in/tcpa/gdpr/authorization/authorisation | einwilligung…/zustimmung…/erlaubnis/einverständnis/dsgvo | consentement/accord/autorisation/rgpd | consentimiento/autorización/permiso/lopd | consentimento/autorização/permissão/lgpd | consenso/autorizzazione | toestemming…/avg | samtyck… | samtykk… | suostumu… | zgoda/zgodę/zgody/rodo | согласие/согласия/згода/згоду/згоди/съгласие/съгласието | souhlas/souhlasu/súhlas/súhlasu | hozzájárulás…/consimțământ…/acord/acordul | izin/izni/onay/onayı/rıza/rızası/kvkk | συγκατάθεσ…/συναίνεσ… | sutikim…/piekriš…/nõusolek… | suglasnost…/privol…/pristanak/pristank…/soglasj…/saglasnost…/сагласност… | persetujuan/sự_đồng_ý/đồng_ý | सहमति/अनुमति/موافقة/الموافقة/موافقته/موافقتها/رضایت/رضامندی/اجازت/הסכמה/ההסכמה/הסכמתו/הסכמתה | =同意/동의/ยินยอม/授权/授權/許諾';
const REVOKED =
  'revoked/revoke/revokes/revocation/withdrawn/withdrew/withdraw/withdraws/withdrawal/denied/refused/declined/rescinded/rejected/pulled | widerruf…/zurückgezogen/verweigert/abgelehnt/entzogen | révoqué…/retiré…/refusé…/retrait | revocad…/retirad…/denegad…/rechazad…/revocó/retiró | revogad…/negad…/recusad…/revogou/retirou | revocat…/ritirat…/negat…/rifiutat… | ingetrokken/geweigerd/herroepen | återkall…/nekat/nekad | tilbagekald…/trukket/nægtet/afvist/tilbakekalt/avslått/nektet | peruttu/peruutettu/perunut/peruuttanut/kielletty/evätty | cofnięt…/cofnął/cofnęła/wycofan…/wycofał…/odwołan…/odmow…/odmów… | отозван…/отозвал…/отзыв…/отказ… | відкликан…/відкликав/відкликала/відмов… | оттеглен…/оттегли/отказан… | odvolán…/odvolal…/odmítnut…/odvolan…/odmietnut… | visszavon…/megtagad…/elutasít… | retras…/revocat…/refuzat… | geri_alındı/geri_aldı/geri_çekti/geri_çekildi/reddedil…/reddetti | ανακλήθηκε/ανακάλεσε/ανάκληση/αρνήθηκε | atšaukt…/atšaukė/atsaukt…/atsauca/tagasi_võetud/tagasi_võttis | povučen…/povukao/povukla/opozvan…/odbijen…/preklican…/umaknjen…/повучен… | dicabut/ditarik/ditolak/mencabut/rút_lại/thu_hồi/từ_chối | वापस/अस्वीकार/سحب/سحبت/رفض/إلغاء/لغو/پس_گرفت…/واپس/منسوخ/בוטלה/חזר_בו/נסוג/סירב/משך/ביטל | =撤回/取り消/拒否/撤销/撤銷/收回/拒绝/拒絕/철회/거부/ถอน/เพิกถอน/ปฏิเสธ';

const OBJECTS =
  'objection/objections/objects/objected/object | widerspruch…/widersprochen/widerspricht | opposition/opposé…/s_oppose | oposición/se_opone/opuesto/oposição/opôs | opposizione/oppost… | bezwaar/verzet | invändning/motsätter/motsatt/indsigelse/innsigelse | vastust… | sprzeciw… | возраж…/запереч…/възраж…/възрази | námitk…/námietk… | tiltakoz… | opoziți… | itiraz… | αντίρρηση/εναντίωση/αντιτάχθηκε | prieštar…/iebild…/vastuväi… | prigovor…/ugovor…/usprotiv… | keberatan/phản_đối/आपत्ति/اعتراض/התנגד… | =異議/反对/反對/이의/คัดค้าน';
/** Laws about personal data and words for advertising: an objection beside one of them is one to calls as well. */
const PRIVACY =
  'gdpr/dsgvo/rgpd/lgpd/lopd/ccpa/popia/avg/rodo/kvkk/marketing…/advertising/werbung/werbe…/publicité/publicidad/publicidade/pubblicità/reclame/reklam…/mainos…/markkinoint…/маркетинг…/реклам… | art/article/artikel/artículo/artigo/articolo 21 | data/daten processing/processed/verarbeitung';

/** Beside a word for calls: who has it is left out when people are called. */
const KEPT_OUT =
  'exclude/excluded/exclusion/exclusions/restrict/restricted/restriction/restrictions/suppress/suppressed/suppression/barred/barring/banned/forbidden/prohibited/ng | ausschluss/ausgeschlossen/sperre/sperrung/sperrvermerk/gesperrt/verbot | exclu…/interdi…/blocage | bloqueo/bloquead…/restricci…/prohib… | bloqueio/restriç…/proib… | esclu…/blocco/bloccat…/divieto/vietat…/restrizion… | blokkade/geblokkeerd/uitgesloten/uitsluiting/verbod | spärr/spärrad/spärrat/förbud/utesluten | spærring/spærret/sperre/sperret/sperring/forbud/udelukket/utelukket | esto/kielto/kielletty | blokada/blokady/zablokowan…/zakaz/wykluczon… | блокировк…/заблокир…/запрет/запрещ…/исключ… | блокуван…/заблок…/заборон… | забрана/забранен…/блокиран… | blokac…/blokován…/zákaz…/zakázán…/vyloučen… | blokác…/blokovan…/zakázan…/vylúčen… | tiltás/tiltott/tiltva/letiltva/kizárva/tilalom | blocare/blocat…/interzi…/exclus… | engeli/engellendi/engellenmiş/yasağı/yasak | αποκλεισμ…/απαγόρευσ…/φραγή | draudim…/užblok…/aizliegum…/bloķē… | keeld/keelatud/blokeeritud | blokad…/blokiran…/zabran…/prepoved…/забран… | diblokir/larangan/dilarang/dikecualikan | chặn/cấm/loại_trừ | प्रतिबंध…/निषेध | حظر/محظور/منع/استبعاد | مسدود/ممنوعیت | خارج_از | חסום/חסומה/חסימה/חסימת/מוחרג/החרגה | =禁止/除外/拒否/屏蔽/禁/차단/금지/제외/ระงับ/ห้าม';

/** The person cannot be called, or the record is out of use: nobody's wish, so it says nothing to other campaigns. */
const OUT_OF_USE =
  'deceased/died/dead/passed_away/wrong_number/wrong_person/wrong_no/wrong_phone/bad_number/invalid_number/not_in_service/out_of_service/disconnected/disconnected_number/inactive/deactivated/blocked/do_not_use/dont_use/don_t_use/number_changed/no_longer_in_service | no_consent/without_consent | verstorben/gestorben/falsche_nummer/falsche_rufnummer/falsche_telefonnummer/kein_anschluss/inaktiv/deaktiviert/gesperrt/nicht_verwenden/nicht_benutzen/ungültige_nummer | décédé…/mauvais_numéro/faux_numéro/numéro_erroné/inactif/inactive/bloqué/bloquée/ne_pas_utiliser/désactivé | fallecid…/número_equivocado/número_erróneo/número_incorrecto/fuera_de_servicio/inactivo/inactiva/bloqueado/bloqueada/no_usar/no_utilizar | falecid…/número_errado/número_inválido/inativ…/desativado/não_usar/não_utilizar/fora_de_serviço | decedut…/numero_errato/numero_sbagliato/inattiv…/disattivat…/bloccato/bloccata/non_usare/non_utilizzare | overleden/verkeerd_nummer/fout_nummer/inactief/geblokkeerd/niet_gebruiken | avliden/fel_nummer/inaktiv/blockerad/spärrad/använd_ej/använd_inte | død/afdød/avdød/forkert_nummer/feil_nummer/blokeret/spærret/blokkert/sperret/må_ikke_bruges/ikke_bruk | kuollut/edesmennyt/väärä_numero/passiivinen/estetty/älä_käytä/ei_käytössä | zmarł…/zły_numer/błędny_numer/niewłaściwy_numer/nieaktywn…/zablokowany/zablokowana/nie_używać | умер/умерла/скончал…/неверный_номер/неправильный_номер/не_тот_номер/ошибка_номера/неактив…/заблокирован/заблокирована/не_использовать | помер/померла/невірний_номер/неправильний_номер/неактивн…/заблокований/не_використовувати | починал…/грешен_номер/блокиран/не_използвайте | zemřel…/zesnul…/špatné_číslo/chybné_číslo/neaktivn…/zablokován…/nepoužívat | zomrel…/zlé_číslo/nesprávne_číslo/neaktívn…/zablokovan…/nepoužívať | elhunyt/meghalt/téves_szám/rossz_szám/hibás_szám/inaktív/letiltva/ne_használja | decedat…/număr_greșit/inactiv…/blocat/blocată/nu_folosi… | vefat/öldü/merhum/yanlış_numara/pasif/aktif_değil/bloke/kullanmayın | απεβίωσε/αποβιώσας/θανών/λάθος_αριθμός/λάθος_νούμερο/ανενεργ…/μπλοκαρισμέν…/μη_χρησιμοποι… | mirė/miręs/mirusi/klaidingas_numeris/neteisingas_numeris/neaktyv…/užblokuot…/nenaudoti | miris/nepareizs_numurs/neaktīv…/bloķēts/nelietot | surnud/vale_number/mitteaktiivne/blokeeritud/mitte_kasutada | umro/umrla/preminu…/pogrešan_broj/krivi_broj/napačna_številka/neaktiv…/blokiran/ne_koristiti/умро/погрешан_број | meninggal/almarhum/nomor_salah/salah_nomor/tidak_aktif/nonaktif/diblokir | đã_mất/qua_đời/sai_số/nhầm_số/không_hoạt_động/bị_chặn | मृत/निधन/गलत_नंबर/निष्क्रिय | متوفى/متوفي/متوفاة/توفي/رقم_خاطئ/رقم_خطأ/غير_نشط/محظور | متوفی/فوت/شماره_اشتباه/غیرفعال/مسدود | وفات/انتقال/غلط_نمبر/غیر_فعال | נפטר/נפטרה/מספר_שגוי/טעות_במספר/לא_פעיל/לא_פעילה/חסום/לא_להשתמש | =เสียชีวิต/เบอร์ผิด/ผิดเบอร์/ไม่ใช้งาน/死亡/故人/番号間違い/番号違い/欠番/使用禁止/已故/去世/错号/錯號/空号/空號/停机/停機/已停用/勿用/사망/잘못된번호/결번/비활성/사용금지/사용안함';

/** Somebody is not called yet, which says nothing of the future. */
const NOT_YET =
  'yet/so_far | noch | encore | aún/todavía | ainda | ancora | nog | ännu | endnu/ennå/enda | vielä | jeszcze | ещё/еще/пока | ще/поки | още | ještě/zatím | ešte/zatiaľ | még | încă | henüz | ακόμα/ακόμη | dar | vēl | veel | još/še | belum | chưa | अभी_तक | لم | هنوز | ابھی_تک | עדיין/טרם | =ยังไม่/まだ/未/尚/还没/還沒/아직';

/** The line, a carrier or a setting of the telephone blocks, not the person. */
const TECHNICAL =
  'carrier/network/provider/line/trunk/gateway/voicemail/mode/busy/retry/spam/firewall/temporarily/setting/settings/operator/caller_id | netz/netzbetreiber/anbieter/leitung/besetzt/modus | opérateur/réseau/ligne/occupé | operadora/operador/línea/red/linha/rede/ocupado | operatore/rete/linea/occupato | netwerk/lijn/bezet | operatör…/nätet/linje…/upptagen/operatør…/optaget/opptatt | operaattori…/linja/varattu | operator…/sieć/linia/zajęt… | оператор…/линия/сеть/занят… | лінія/мережа/зайнят… | síť/linka/obsazen…/sieť/obsaden… | szolgáltató/vonal/foglalt | rețea…/linie/ocupat | şebeke/şebekesi/hat/hattı/meşgul | γραμμή/δίκτυο/κατειλημμέν… | linija/tinklas/līnija/tīkls/liin/võrk/mreža | jaringan/sibuk/mạng/máy_bận | नेटवर्क/व्यस्त/الشبكة/الخط/مشغول/شبکه/خط/اشغال/مصروف/רשת/קו/תפוס | =回線/通信/話中/线路/線路/网络/網路/通话中/회선/통화중/สายไม่ว่าง';
/** What a line can do as well as a person. */
export const BLOCKS =
  /^(?:block|blocked|blocks|blocking|barred|banned|dnd|gesperrt|bloque[ae]?|bloquead[ao]s?|bloccat[aoei]|geblokkeerd|blockera[dt]|blokeret|blokkert|sperret|spaerret|estetty|zablokowan\S*|заблок\S*|блокир\S*|zablokovan\S*|letiltva|blocat[ae]?|engellendi|bloke|μπλοκαρισμεν\S*|blokiran\S*|diblokir)$/;

/** A time of day or another circumstance: at other times the person may be called. */
const SOMETIMES =
  'work/workplace/office/morning/mornings/afternoon/afternoons/evening/evenings/night/nights/noon/lunch/lunchtime/weekend/weekends/weekday/weekdays/today/tomorrow/hours/unless/except/monday/mondays/tuesday/tuesdays/wednesday/wednesdays/thursday/thursdays/friday/fridays/saturday/saturdays/sunday/sundays/holidays/ramadan | without_appointment/without_notice | morgens/vormittag…/nachmittag…/abends/mittag…/nachts/wochenende…/arbeit/heute/außer/montag…/dienstag…/mittwoch…/donnerstag…/freitag…/samstag…/sonntag…/ohne_termin | matin…/après_midi/soir…/midi/week_end/weekend/travail/aujourd_hui/sauf/lundi/mardi/mercredi/jeudi/vendredi/samedi/dimanche | mañana…/tarde…/noche…/mediodía/fin_de_semana/trabajo/hoy/salvo/excepto/lunes/martes/miércoles/jueves/viernes/sábado…/domingo… | manhã…/noite…/almoço/fim_de_semana/trabalho/hoje/exceto/segunda/terça/quarta/quinta/sexta | mattin…/pomeriggio/di_sera/la_sera/pranzo/fine_settimana/lavoro/oggi/tranne/lunedì/martedì/mercoledì/giovedì/venerdì/sabato/domenica | ochtend…/s_ochtends/middag…/avond…/s_avonds/werk/vandaag/behalve/zaterdag/zondag | morgon…/förmiddag…/eftermiddag…/kväll…/helg…/jobbet/idag/lördag…/söndag… | morgen…/formiddag…/eftermiddag…/ettermiddag…/aften…/kveld…/arbejde/i_dag/lørdag…/søndag… | aamu…/aamupäiv…/iltapäiv…/ilta…/viikonlop…/töissä/tänään | rano/rankiem/południ…/wieczor…/weekend…/pracy/dzisiaj/dziś/oprócz | утром/утра/днём/днем/вечером/ночью/выходны…/на_работе/сегодня/кроме | вранці/зранку/вдень/ввечері/вихідн…/сьогодні/крім | сутрин/вечер/обед/уикенд… | ráno/dopoledne/odpoledne/večer/víkend…/práci/dnes/dopoludnia/popoludní/kromě/okrem | reggel/délelőtt/délután/hétvég…/munkahely…/kivéve | dimineața/după_amiază/seara/weekend/serviciu/azi/exceptând | sabah…/öğle…/akşam…/hafta_sonu/iş_yeri…/bugün/hariç | πρωί/μεσημέρι/απόγευμα/βράδυ/σαββατοκύριακο/δουλειά/σήμερα/εκτός | ryte/rytais/vakare/vakarais/savaitgal…/šiandien/no_rīta/vakarā/nedēļas_nogal…/šodien | hommikul/õhtul/nädalavahetus…/täna | ujutro/navečer/uveče/vikend…/zjutraj/zvečer/danes/danas/osim | pagi/siang/sore/malam/akhir_pekan/hari_ini/kecuali | buổi_sáng/buổi_chiều/buổi_tối/cuối_tuần/hôm_nay/trừ | सुबह/दोपहर/शाम/रात/आज/صباحا/مساء/الصباح/المساء/اليوم/إلا/صبح/عصر/شب/امروز/شام/رات/آج/בבוקר/בערב/בצהריים/היום/אלא/חוץ | =เช้า/เย็น/กลางคืน/วันนี้/ยกเว้น/午前/午後/朝/夜間/夜は/昼/土日/平日/本日/以外/上午/下午/早上/晚上/中午/周末/週末/今天/除了/오전/오후/아침/저녁/밤/주말/오늘/제외하고';

/** All ways to reach somebody, calls among them. */
const EVERY_WAY =
  'all/every/everything/any/fully/globally/global/total/completely | alle/allem/alles/jegliche…/komplett/sämtliche… | tout/tous/toutes/total… | todo/todos/todas/tudo/todo_contacto | tutto/tutti/tutte | alles/volledig | allt/alla/samtliga/alt/alle | kaikki/kaikista/kaiken | wszystk… | все/всё/всех/всего/всі/всього/всички | vše/všechn…/všetk… | minden… | tot/toate/tümü/tüm/hepsi | όλα/όλες/όλους | vis…/visus/visu/kõik…/sve/svih/vse | semua/seluruh/tất_cả/mọi/सभी/सब/كل/جميع/همه/تمام/הכל/כל | =全て/すべて/全部/所有/一切/모든/전체/ทั้งหมด/ทุก';

/** People of whom a law or caution says that they are not called. */
const LEGAL =
  'cease_and_desist/cease_desist/c_d/attorney_represented/represented_by/has_attorney/has_lawyer/litigator/litigators/litigious/serial_litigator/known_litigator/legal_representation/legal_threat/threatened_lawsuit/threatens_lawsuit | unterlassungserklärung/unterlassungserkl…/anwaltlich_vertreten/abmahnung | mise_en_demeure/représenté_par_avocat | representado_por_abogado/cese_y_desista/representado_por_advogado/diffida/rappresentato_da_avvocato';

export const isUnwilling = phraseTest(UNWILLING);
export const isTakenOff = phraseTest(TAKE_OFF);
export const isOfList = phraseTest(LISTS);
export const isAsked = phraseTest(ASKED);
export const isConsent = phraseTest(CONSENTS);
export const isRevoked = phraseTest(REVOKED);
export const isObjection = phraseTest(OBJECTS);
export const isOfPrivacy = phraseTest(PRIVACY);
export const isKeptOut = phraseTest(KEPT_OUT);
export const isOutOfUse = phraseTest(OUT_OF_USE);
export const isNotYet = phraseTest(NOT_YET);
export const isTechnical = phraseTest(TECHNICAL);
export const isSometimes = phraseTest(SOMETIMES);
export const isEveryWay = phraseTest(EVERY_WAY);
export const isLegal = phraseTest(LEGAL);

/** Words that turn a refusal that follows them, by language; ` no longer ` is `no` and a filler. */
const NEGATORS = new Set(
  foldedWords(
    'not no non never without isn wasn hasn aren didn nicht kein keine keinen keiner nie ohne ne pas aucun aucune jamais sans ningún ninguna sin não nem sem mai senza nessun nessuna niet geen nooit zonder inte ej inga ingen aldrig utan ikke uden uten aldri ei eivät nie bez brak не нет без ні немає няма není nejsou nem nincs nu fără değil δεν μη μην όχι χωρίς nėra nav mitte pole nije nisu ni brez tidak bukan tanpa không chưa नहीं بدون غير ليس ليست لم لیس نیست غیر نہیں לא אין ללא אינו',
  ),
);
/** Words between a negation and what it turns. */
const FILLERS = new Set(
  foldedWords(
    'a an the on in of from for to as is are was be been being has have had did does do our any our own internal national federal state company currently longer listed registered present found flagged marked yet opted list der die das den dem auf aus von vom im in ist sind wurde mehr als eingetragen gelistet markiert steht le la les l de du des d sur dans est été sur plus inscrit inscrite el los las en del está es ya o a os as no na nos nas do da dos das está mais il lo gli i nella nel della dal dalla al alla allo è più iscritto op het van uit in de is meer på av från den är i fra er ikke på ole listalla on na z ze w jest się liście listy już в на из с со від із є в списке списку в в списъка od ze na je již už nie je rajta van a az nincs în pe din este în λίστα στη στην στο από την τη είναι yra nėra iš sąraše ir no sarakstā on ole nimekirjas u na iz sa je ada dalam di dari sudah trong khỏi में है से على في من القائمة قائمة در از لیست است میں سے ہے ב ברשימת מרשימת ברשימה שחורה',
  ),
);
/** Words for a refusal that has ended, before or after it. */
const LIFTED =
  /^(?:removed|cleared|lifted|released|expired|ended|cancell?ed|rescinded|reversed|reinstated|off|entfernt|geloescht|aufgehoben|abgelaufen|beendet|retire[es]*|leve[es]*|expire[es]*|supprime[es]*|eliminad[oa]s?|retirad[oa]s?|levantad[oa]s?|expirad[oa]s?|quitad[oa]s?|removid[oa]s?|rimoss[oaie]|cancellat[oaie]|scadut[oaie]|verwijderd|opgeheven|verlopen|vervallen|borttagen|havd|upphavd|fjernet|ophaevet|opphevet|udlobet|utlopt|poistettu|kumottu|usuniet[yaoe]|wykreslon[yaoe]|zniesion[yaoe]|удален[аоы]?|исключен[аоы]?|снят[аоы]?|видален[оаі]?|знят[оаі]?|премахнат[аои]?|odstranen[aoy]?|zrusen[aoy]?|torolve|feloldva|eliminat[a]?|sters[a]?|kaldirildi|cikarildi|silindi|αφαιρεθηκε|διαγραφηκε|pasalint[as]*|nonemts?|iznemts?|eemaldatud|tuhistatud|uklonjen[oa]?|skinut[oa]?|odstranjen[oa]?|dihapus|dicabut|dikeluarkan|हटाया|ازيل|הוסר[ה]?)$/;
/** The last word of a statement that denies it: `DNC: clean`. */
const ENDS_CLEAN =
  /^(?:no|false|n|clean|cleared|clear|none|negative|passed|nein|non|nao|nej|nei|nie|net|нет|ні|не|ne|nem|nu|hayir|degil|οχι|nē|tidak|khong|नहीं|لا|خير|نہیں|לא|unbelastet|sauber|negativ)$/;
/** A check of a registry: the word after it is what it found. */
const CHECKED =
  /^(?:scrub|scrubbed|scrubbing|check|checked|verified|washed|gepruft|geprueft|abgleich|verifie|verificado|verificato|gecontroleerd|kontrollerad|kontrolleret|sprawdzon[yao]|проверен[оаы]?)$/;
const NO_SPACES =
  /^(?:不在|非|不是|未|没有|沒有|已移出|移出|解除|已解除|取消|ไม่อยู่ใน|ไม่ได้อยู่ใน|ไม่ได้)|(?:解除|ではない|でない|から削除|解除済み?|해제됨?|아님|아니다|제외됨|移出|已移除)$/;

/**
 * Whether the refusal in a folded text is denied or over: `not on DNC`, `removed from DNC`, `DNC: clean`. A `no` that
 * belongs to the refusal (`do not call`) leaves no refusal when it is taken out, so it turns nothing.
 * @param refuses whether a folded text refuses
 */
export function isTurned(folded: string, refuses: (folded: string) => boolean): boolean {
  const words = folded.split(' ');
  const joined = words.join('');
  if (NO_SPACES.test(joined) && refuses(joined.replace(NO_SPACES, ''))) return true;
  const turnsNext = words.some((word, at) => {
    const isLifted = LIFTED.test(word);
    if (!isLifted && !NEGATORS.has(word)) return false;
    if (refuses(words.slice(0, isLifted ? at + 1 : at).join(' '))) return false;
    const next = words.findIndex((each, n) => n > at && !FILLERS.has(each) && !isOfList(each));
    if (next === -1) return false;
    if (!isLifted && isRevoked(words[next] ?? '') && refuses(words.toSpliced(at, 1).join(' ')))
      return true;
    const isNext = !refuses(words.slice(next + 1).join(' '));
    return isNext && [at + 1, next].some((from) => refuses(words.slice(from).join(' ')));
  });
  if (turnsNext) return true;
  const last = words.findLastIndex((word) => !FILLERS.has(word) || ENDS_CLEAN.test(word));
  const end = words[last] ?? '';
  const isClean =
    ENDS_CLEAN.test(end) ||
    LIFTED.test(end) ||
    (isRevoked(end) && !isConsent(folded)) ||
    (/^ok(?:ay)?$/.test(end) && isCheck(folded));
  return last > 0 && isClean && refuses(words.slice(0, last).join(' '));
}

/** True for a text about a check of a registry: `TPS checked`. */
export function isCheck(folded: string): boolean {
  return folded.split(' ').some((word) => CHECKED.test(word));
}

function foldedWords(list: string): string[] {
  return list.split(' ').map(foldLetters);
}
